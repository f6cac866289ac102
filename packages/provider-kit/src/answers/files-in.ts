import { mediaTypeOf, type Output, type OutputKind } from '@genmount/core'
import {
  type AnsweredFile,
  answeredFile,
  isNumbers,
  type LinkFault,
  publicLinkFault,
} from './answered-file.ts'
import {
  base64Fields,
  fieldsOf,
  fileEndings,
  isNoOutput,
  isOtherLinkField,
  kindWords,
  linkFields,
  namesKind,
  wrappings,
} from './file-fields.ts'
import { linksIn } from './links-in.ts'
import { unfolded, unfoldedFields } from './unfolded.ts'
import { vendorReason } from './vendor-reason.ts'

/** Which files of an answer count. */
export interface FileSearch {
  /** The kind of the model's outputs. @default not known: both kinds count */
  readonly kind?: OutputKind | undefined
  /**
   * Whether all fields of an object are outputs, as at vendors whose models choose the names of their outputs. If not,
   * the first of the usual fields that has a file counts, because vendors name the same file in several of them.
   * @default false
   */
  readonly hasOwnNames?: boolean | undefined
  /**
   * Whether a text without a field of its own is base64. If not, it counts only if it begins as a picture or a film does.
   * @default false
   */
  readonly isBase64?: boolean | undefined
  /**
   * Whether all links in the text of a model are returned, with `isInText`, for `provenFiles`. If not, only those count
   * that end as files of the kind do.
   * @default false
   */
  readonly withLinksInText?: boolean | undefined
  /** Which links can be delivered. @default https URLs on the public internet */
  readonly linkFault?: LinkFault | undefined
}

/** The most levels of an answer that are read. */
const maxDepth = 8

/**
 * The files of an answer, in whatever vendors and gateways wrap them: a list or a single file, a link, a data URI or
 * base64, in `data`, `output`, `images`, `video` and the like, at any level. What the answer has in the place of a file
 * is returned as well, with what is wrong with it.
 * @param answer the answer, or the part of it that has the outputs
 * @param at the place of that part in the answer. @default the answer itself
 * @example filesIn({ data: [{ b64_json: 'iVBORw0KGgo=' }, { url: null }] }, { kind: 'image' })
 */
export function filesIn(answer: unknown, search: FileSearch, at = ''): readonly AnsweredFile[] {
  const {
    kind,
    hasOwnNames = false,
    isBase64 = false,
    withLinksInText = false,
    linkFault = publicLinkFault,
  } = search
  const kinds = kind === undefined ? (['video', 'image'] as const) : [kind]
  const isRight = (output: Output, name = '') => kinds.some((one) => isOfKind(output, name, one))

  /** @param base64 whether the value is only for base64 */
  function filesAt(answered: unknown, place: string, depth: number, base64 = false): readonly AnsweredFile[] {
    const value = unfolded(answered)
    const items = itemsOf(value)
    if (items)
      return depth === maxDepth
        ? []
        : items.flatMap(([index, item]) => filesAt(item, `${place}[${index}]`, depth + 1, base64))
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array || isNumbers(value))
      return [answeredFile(value, { at: place || 'the answer', isBase64: base64 || isBase64, linkFault })]
    return depth === maxDepth ? [] : filesOf(unfoldedFields(value), place, depth + 1)
  }

  function filesOf(fields: Fields, place: string, depth: number): readonly AnsweredFile[] {
    const within = (name: string) => (place === '' ? name : `${place}.${name}`)
    const read = (name: string, base64 = false) => {
      const value = fields[name]
      return value === undefined ? [] : unproven(filesAt(value, within(name), depth, base64), name, value)
    }
    const readList = (name: string) => withGaps(read(name), fields[name], within(name))
    const otherLinkFields = hasOwnNames ? [] : Object.keys(fields).filter(isOtherLinkField)
    const own = [
      ...base64Fields.map((name) => () => read(name, true)),
      ...[...linkFields, ...otherLinkFields].map((name) => () => {
        const base64 = name === 'data' && isEncoded(fields, place)
        return isFileLink(name, fields[name]) ? typed(read(name, base64), fields) : []
      }),
    ]
    const others = () => {
      const files = Object.entries(fields).flatMap(([name, value]) =>
        !hasOwnNames && isNoOutput(name, value) ? [] : otherFiles(name, value, within(name), depth),
      )
      const outputs = files.filter(({ output }) => output)
      return outputs.length > 0 ? outputs : files
    }
    if (hasOwnNames) return firstOf([...own, others])
    const usual = kinds.flatMap((one) => fieldsOf[one]).map((name) => () => readList(name))
    const wrapped = wrappings.map((name) => () => {
      if (isInline(fields[name]) && !isTextWrapping(name, fields[name])) return []
      return name === 'data' ? readList(name) : read(name)
    })
    return revised(firstOf([...usual, ...own, ...wrapped, others, () => inText(fields, within)]), fields)
  }

  /** A file in a field that no list names. It counts only if it is certainly one, and of the right kind. */
  function otherFiles(name: string, value: unknown, place: string, depth: number): readonly AnsweredFile[] {
    const knownFiles =
      hasOwnNames || typeof value === 'object'
        ? filesAt(value, place, depth)
        : unproven(textFile(value, place, name), name, value)
    const outer = place.length - name.length
    if (hasOwnNames) return knownFiles.filter(({ output, text }) => output || isSentence(name, text))
    return knownFiles.filter((file) => file.output && isRight(file.output, file.at.slice(outer)))
  }

  function textFile(value: unknown, place: string, name: string): readonly AnsweredFile[] {
    const file = answeredFile(value, { at: place, isBase64: false, linkFault: publicLinkFault })
    const { output } = file
    const path = output && 'url' in output ? pathOf(output.url) : ''
    const isFile =
      output &&
      ('bytes' in output || kinds.some((one) => fileEndings[one].test(path) || namesKind(name, one)))
    return isFile ? [file] : []
  }

  /** Some gateways of chat models answer with a text that has the picture in it, bare, or as Markdown or HTML has it. */
  function inText({ content, text }: Fields, within: (name: string) => string): readonly AnsweredFile[] {
    const words = [content, text].find((one) => typeof one === 'string')
    if (typeof words !== 'string') return []
    const place = within(words === content ? 'content' : 'text')
    const files = linksIn(words, withLinksInText).map((link) =>
      answeredFile(link, { at: place, isBase64: false, linkFault }),
    )
    const knownFiles = files.filter(
      ({ output }) => output && (withLinksInText || 'bytes' in output || isNamed(output)),
    )
    return unproven(knownFiles, 'text', words)
  }

  const isNamed = (output: Output) =>
    'url' in output && kinds.some((one) => fileEndings[one].test(pathOf(output.url)))

  function unproven(files: readonly AnsweredFile[], name: string, value: unknown): readonly AnsweredFile[] {
    if (!withLinksInText || typeof value !== 'string' || !/^(?:content|text)$/.test(name)) return files
    return files.map((file) =>
      file.output && 'url' in file.output ? { ...file, isInText: true, text: file.output.url } : file,
    )
  }

  if (answer === undefined) return []
  const whole = unproven(filesAt(answer, at, 0), 'text', answer)
  const files = firstOf([
    () => whole,
    () => (hasOwnNames ? [] : inText({ text: answer }, () => at || 'the answer')),
  ])
  const other = kind && otherOf[kind]
  const others = new Set(files.filter(({ output }) => output && other && isOfKind(output, '', other)))
  if (others.size === 0) return files
  const rest = files.filter((file) => !others.has(file))
  if (hasOwnNames) return [...rest, ...others]
  return rest.some(({ output }) => output) ? rest : files
}

const otherOf = { image: 'video', video: 'image' } as const

type Fields = Readonly<Record<string, unknown>>

/** The first files that can be delivered; if there are none, the first that are named at all. */
function firstOf(places: readonly (() => readonly AnsweredFile[])[]): readonly AnsweredFile[] {
  let named: readonly AnsweredFile[] = []
  for (const place of places) {
    const files = place()
    if (files.some(({ output }) => output)) return files
    if (named.length === 0) named = files
  }
  return named
}

/** Some vendors put a single link there, without an object around it. */
function isTextWrapping(name: string, value: unknown): boolean {
  if (value === null) return name === 'result'
  return typeof value === 'string' && /^(?:outputs?|results?|response|file|media|content)$/.test(name)
}

/** The files of a list, with the items that have none, such as `{ error }` in the place of an image. */
function withGaps(files: readonly AnsweredFile[], list: unknown, place: string): readonly AnsweredFile[] {
  if (!Array.isArray(list) || isNumbers(list)) return files
  // The files of the items in the order of the list, so that a long list takes linear time.
  let next = 0
  return list.flatMap((item: unknown, index) => {
    const at = `${place}[${index}]`
    const first = next
    while (next < files.length && isWithin(files[next]!.at, at)) next++
    if (next > first) return files.slice(first, next)
    const text = vendorReason(item)?.message ?? ''
    return [{ at, fault: text === '' ? 'has no file' : `has no file: ${text}`, text }]
  })
}

function isWithin(place: string, outer: string): boolean {
  return place.startsWith(outer) && /^$|^[.[]/.test(place.slice(outer.length))
}

/** The items of a list, or of an object that has numbers for names, as PHP and ComfyUI write a list. */
function itemsOf(value: unknown): readonly (readonly [number | string, unknown])[] | undefined {
  if (Array.isArray(value)) return isNumbers(value) ? undefined : [...value.entries()]
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return undefined
  const names = Object.keys(value)
  return names.length > 0 && names.every((name) => /^\d+$/.test(name)) ? Object.entries(value) : undefined
}

/** Whether a field has words in the place of a file. */
function isSentence(name: string, text = ''): boolean {
  return /\S\s+\S/.test(text) && !isNoOutput(name, text)
}

/** In `data`, an object is a wrapping, and in `urls`, the links of the task. */
function isFileLink(name: string, value: unknown): boolean {
  if (name === 'data') return isInline(value)
  const isOfLinks = name !== 'urls' && name !== 'links'
  return isOfLinks || (Array.isArray(value) && value.every((item) => typeof item === 'string'))
}

function isInline(value: unknown): boolean {
  return typeof value === 'string' || value instanceof Uint8Array || value === null
}

/** Whether the field `data` of an object has base64, as beside a type, or in Google's `inlineData`. */
function isEncoded(fields: Fields, place: string): boolean {
  return (
    /inline_?data$/i.test(place) ||
    ['mimeType', 'mime_type'].some((name) => name in fields) ||
    fields['type'] === 'base64'
  )
}

/** The files with the type that the answer has beside them. */
function typed(files: readonly AnsweredFile[], fields: Fields): readonly AnsweredFile[] {
  const type = fields['content_type'] ?? fields['contentType'] ?? fields['mimeType'] ?? fields['mime_type']
  if (typeof type !== 'string') return files
  return files.map((file) =>
    file.output ? { ...file, output: { ...file.output, contentType: type } } : file,
  )
}

/** The files with the prompt that the vendor has made of the client's, which stands beside them. */
function revised(files: readonly AnsweredFile[], fields: Fields): readonly AnsweredFile[] {
  const { revised_prompt: revisedPrompt } = fields
  if (typeof revisedPrompt !== 'string' || revisedPrompt === '') return files
  return files.map((file) => (file.output ? { ...file, output: { revisedPrompt, ...file.output } } : file))
}

/** Whether an output is of a kind, by its type, its bytes, the ending of its link, or else the name of its field. */
function isOfKind(output: Output, name: string, kind: OutputKind): boolean {
  const { contentType = '' } = output
  const type = 'bytes' in output ? (mediaTypeOf(output.bytes, contentType) ?? '') : contentType
  if (type !== '' && !type.endsWith('/octet-stream')) return type.startsWith(`${kind}/`)
  const other = otherOf[kind]
  const path = 'url' in output ? pathOf(output.url) : ''
  return (
    fileEndings[kind].test(path) ||
    (!fileEndings[other].test(path) && kindWords[kind].test(`${name} ${path}`))
  )
}

function pathOf(url: string): string {
  return URL.parse(url)?.pathname ?? ''
}
