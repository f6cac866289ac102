import { UnmarkableError } from '../formats/unmarkable-error.ts'
import { type Mark, vocabulary } from './mark.ts'

/** The properties that a mark may have, by the names that the file shows, and their namespaces. */
const namespaces = {
  Iptc4xmpExt: 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/',
  dc: 'http://purl.org/dc/elements/1.1/',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  xmp: 'http://ns.adobe.com/xap/1.0/',
}

/**
 * The properties of a mark: `Iptc4xmpExt:DigitalSourceType` (IPTC Photo Metadata Standard 2025.1, and its guide on pictures that
 * are made by AI), `Iptc4xmpExt:AISystemUsed` (the same), `xmp:CreateDate` and `dc:identifier` (XMP Specification Part 1, 8).
 */
function propertiesOf({ sourceType, model, time, job }: Mark): readonly (readonly [string, string])[] {
  return [
    ['Iptc4xmpExt:DigitalSourceType', vocabulary + sourceType],
    ...(model === undefined ? [] : [['Iptc4xmpExt:AISystemUsed', model] as const]),
    ...(time === undefined ? [] : [['xmp:CreateDate', new Date(time).toISOString()] as const]),
    ...(job === undefined ? [] : [['dc:identifier', job] as const]),
  ]
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** A text of XML, without the characters that XML 1.0 (2.2) does not allow. */
function escaped(text: string): string {
  return text
    .replace(/[&<>"]/g, (sign) => escapes[sign]!)
    .replace(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
}

/** @param about the name of the file in the packet, which is the same in all descriptions */
function descriptionOf(properties: readonly (readonly [string, string])[], about: string): string {
  const used = Object.entries(namespaces).filter(
    ([prefix]) => prefix === 'rdf' || properties.some(([name]) => name.startsWith(`${prefix}:`)),
  )
  const declared = used.map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`).join('')
  const inside = properties.map(([name, value]) => `<${name}>${escaped(value)}</${name}>`).join('')
  return `<rdf:Description${declared} rdf:about="${about}">${inside}</rdf:Description>`
}

/** The XML of a mark, from `x:xmpmeta` on (XMP Specification Part 1, 7.3). */
export function xmpMetaOf(mark: Mark): string {
  const description = descriptionOf(propertiesOf(mark), '')
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${namespaces.rdf}">${description}</rdf:RDF></x:xmpmeta>`
}

/** The packet of a mark (XMP Specification Part 1, 7.3.2). It has no padding, because a file is marked once. */
export function xmpPacketOf(mark: Mark): Uint8Array {
  return new TextEncoder().encode(
    `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>${xmpMetaOf(mark)}<?xpacket end="w"?>`,
  )
}

/**
 * Adds a mark to the packet that a file has. What the packet says stays: also a digital source type, because who made the file
 * knows better, and each other property of the mark.
 * @returns `undefined` when the packet must stay: it has a digital source type, or the link of a C2PA manifest that is kept
 *   elsewhere and whose hash the change would break (C2PA 2.2, 11.5)
 * @throws UnmarkableError when the packet can't be read
 */
export function mergedPacket(existing: Uint8Array, mark: Mark): Uint8Array | undefined {
  const text = textOf(existing)
  if (has(text, 'DigitalSourceType') || /\bdcterms:provenance\b/.test(text)) return undefined
  const end = [...text.matchAll(/<\/[\w.-]+:RDF\s*>/g)].at(-1)
  if (!end) throw new UnmarkableError('its XMP can not be read')
  const [, , about = ''] = /\babout=(["'])([^"'<]*)\1/.exec(text) ?? []
  const added = propertiesOf(mark).filter(([name]) => !has(text, name.replace(/^\w+:/, '')))
  return new TextEncoder().encode(
    text.slice(0, end.index) + descriptionOf(added, about) + text.slice(end.index),
  )
}

/** @throws UnmarkableError for a packet that is not UTF-8, as XMP in all these formats is */
function textOf(packet: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(packet)
  } catch {
    throw new UnmarkableError('its XMP can not be read')
  }
}

/** Whether a packet has a property, as an attribute or an element. */
function has(text: string, name: string): boolean {
  return new RegExp(`[\\w.-]:${name}\\s*[=>\\s/]`).test(text)
}

/** Reads the mark of a packet. @returns what the packet says; each part is absent when it does not say it */
export function markIn(
  packet: Uint8Array,
): Readonly<Partial<Record<'sourceType' | 'model' | 'time' | 'job', string>>> {
  const text = new TextDecoder().decode(packet)
  const read = (key: string, name: string) => {
    const value = propertyIn(text, name)
    return value === undefined ? {} : { [key]: value }
  }
  return {
    ...read('sourceType', 'DigitalSourceType'),
    ...read('model', 'AISystemUsed'),
    ...read('time', 'CreateDate'),
    ...read('job', 'identifier'),
  }
}

/** An element begins with `<`, so that a search reads the text of none twice, however often a hostile file repeats the name. */
function propertyIn(text: string, name: string): string | undefined {
  const [, , attribute, element, resource] =
    new RegExp(
      `[\\w.-]:${name}\\s*=\\s*(["'])([^"'<]*)\\1|<[\\w.-]+:${name}(?:\\s*>([^<]*)<|\\s+[\\w.-]+:resource\\s*=\\s*["']([^"'<]*)["'])`,
    ).exec(text) ?? []
  return (attribute ?? element ?? resource)?.replace(
    /&(amp|lt|gt|quot|apos);/g,
    (_, sign: string) => signs[sign]!,
  )
}

const signs: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}
