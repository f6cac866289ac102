import { readdirSync, readFileSync } from 'node:fs'
import { fakeFile } from '@genmount/testing'

/** An answer of a vendor, as a file in the folder of the vendor, and what becomes of the job. */
export interface AnswerFile {
  /** Where the answer is documented or was seen. */
  readonly source: string
  /** When it was documented or seen: the date of the page, the commit or the thread. */
  readonly date: string
  /** What is remarkable about it. @default nothing */
  readonly note?: string
  /** @default 'image', or 'video' for vendors that only make videos */
  readonly model?: 'image' | 'video'
  /** The request that gets this answer. @default the request that asks for the result */
  readonly step?: string
  /** @default 200 */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The body. In its texts, `<png>` stands for a picture in base64 and `<mp4>` for a film; the text `<NaN>` for Python's `NaN`. */
  readonly json?: unknown
  /** The body, if it is not JSON. `<png>` alone stands for the bytes of a picture. */
  readonly text?: string
  readonly expect: {
    /** The links; `<png>` and `<mp4>` for files. @default none: the job fails */
    readonly outputs?: readonly string[]
    /** @default 0 */
    readonly costUsd?: number
    /** The code with which the job fails. `running`: it goes on. @default none */
    readonly code?: string
    /** What the error of the job contains. @default not checked */
    readonly words?: string
    /** What the log contains about an output that is left out. @default no such line */
    readonly log?: string
  }
}

/** The files that the placeholders stand for. */
export const media = { png: fakeFile('image').bytes, mp4: fakeFile('video').bytes } as const

const base64 = {
  '<png>': Buffer.from(media.png).toString('base64'),
  '<mp4>': Buffer.from(media.mp4).toString('base64'),
} as const

/** The text with files in the place of `<png>` and `<mp4>`, and Python's `NaN` in that of `"<NaN>"`. */
export function filled(text: string): string {
  return text.replaceAll('"<NaN>"', 'NaN').replaceAll(/<png>|<mp4>/g, (name) => base64[name as '<png>'])
}

/** The body of an answer. */
export function bodyOf({ json, text }: Pick<AnswerFile, 'json' | 'text'>): string | Uint8Array<ArrayBuffer> {
  if (text === '<png>' || text === '<mp4>') return media[text === '<png>' ? 'png' : 'mp4']
  return text ?? filled(JSON.stringify(json))
}

/** The file in bytes, as `expect` names it. */
export function nameOf(bytes: Uint8Array): string {
  if (Buffer.compare(bytes, media.png) === 0) return '<png>'
  return Buffer.compare(bytes, media.mp4) === 0 ? '<mp4>' : `${bytes.byteLength} bytes`
}

/** Reads an answer. @throws Error when it does not say where it comes from, when, and what is expected */
export function readAnswer(name: string, text: string): AnswerFile {
  const answer = JSON.parse(text) as AnswerFile
  const { source, date, expect } = answer as Partial<AnswerFile>
  if (!/^https:\/\/\S+|^@?[\w./-]+@\S+/.test(source ?? '')) throw new Error(`${name} has no source.`)
  if (!/^20\d\d-[01]\d(?:-[0-3]\d)?$/.test(date ?? '')) throw new Error(`${name} has no date.`)
  if (Object.keys(expect ?? {}).length === 0) throw new Error(`${name} expects nothing.`)
  return answer
}

/** All answers: each file in the folder of a vendor is one. */
export const answers = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: vendor }) =>
    readdirSync(`${import.meta.dirname}/${vendor}`).map((file) => ({
      vendor,
      name: `${vendor}/${file.replace(/\.json$/, '')}`,
      answer: readAnswer(
        `${vendor}/${file}`,
        readFileSync(`${import.meta.dirname}/${vendor}/${file}`, 'utf8'),
      ),
    })),
  )

export type Answer = (typeof answers)[number]
