import { betweenWords, formsOf } from './prompt-words.ts'
import { streamsOf } from './random.ts'
import {
  colourWords,
  type Feature,
  features,
  type Ground,
  grounds,
  lights,
  placesOf,
  readTheme,
  type Theme,
} from './theme.ts'

/** Words that only choose the place which suits them. What they name is not drawn. */
const unseen = new Set(
  [
    'whale shark jellyfish submarine octopus turtle dolphin mermaid aquarium diving',
    'astronaut spaceship rocket alien asteroid comet mars jupiter',
    'street tokyo york paris london village town shanghai taxi car architecture',
    'harbor harbour marina pier ship',
    'cactus camel oasis canyon pyramid egypt',
    'bamboo deer fox bear wolf owl fairy',
    'hiking cliff dragon eagle',
    'garden farm wheat horse cow sheep rabbit bunny cat dog puppy kitten picnic butterfly',
    'logo poster mondrian kandinsky',
    'vector music song melody jazz paper',
    'liquid smoke ink dream dreams mind energy chaos emotion love',
  ].flatMap((words) => words.split(' ')),
)

const abstractGrounds: ReadonlySet<Ground> = new Set(['silk', 'ribbons', 'geometry'])
const notInLandscapes: ReadonlySet<Ground> = new Set([...abstractGrounds, 'space', 'underwater'])

/** Whether a picture of this theme shows the feature. */
function isShown(feature: Feature, { ground, light, features: all }: Theme): boolean {
  if (ground === 'space') return feature === 'ring' || feature === 'stars' || feature === 'moon'
  if (notInLandscapes.has(ground)) return false
  if (feature === 'moon') return light !== 'neon'
  if (feature === 'clouds') return light !== 'neon' && !all.has('clear')
  return placesOf[feature]?.includes(ground) ?? true
}

/** How many of the colours that a prompt names are in the picture. */
function shownColours({ ground, features: all }: Theme): number {
  if (ground === 'meadow' && all.has('flowers')) return Number.POSITIVE_INFINITY
  return abstractGrounds.has(ground) || ground === 'space' ? 2 : 1
}

/** The words of these lists that a prompt has, as it spells them and in its order, each once. */
export function wordsAmong(prompt: string, lists: readonly string[]): readonly string[] {
  const listed = new Set(lists.flatMap((list) => list.split(' ')))
  const words = new Set(prompt.toLowerCase().split(betweenWords))
  return [...words].filter((word) => formsOf(word).some((form) => listed.has(form)))
}

/** The lists of the colours that the prompt names and the picture shows. */
export function colourLists({ colours }: Theme, most: number): readonly string[] {
  const visible = new Set(colours.slice(0, most))
  return Object.entries(colourWords).flatMap(([word, hex]) => (visible.has(hex) ? [word] : []))
}

/** The lists of the words by which a given picture gets its weather. */
export function weatherLists({ features: all, ground }: Theme): readonly string[] {
  const kinds = ['snowfall', 'rain', 'fireflies', 'embers', 'flowers'] as const
  const visible = kinds.filter((kind) => all.has(kind) && (kind !== 'flowers' || ground !== 'meadow'))
  return visible.map((kind) => features[kind])
}

/**
 * The words of the prompt that a scene shows, in their order: its place, light, things and colours.
 * @param styles lists of the words by which it gets a style
 */
export function drawnWords(
  prompt: string,
  variation: string,
  styles: readonly string[] = [],
): readonly string[] {
  const theme = readTheme(prompt, streamsOf(prompt, variation)('theme'))
  const place = grounds[theme.ground].split(' ')
  const elsewhere = new Set(Object.values(grounds).flatMap((list) => list.split(' ')))
  for (const word of place) elsewhere.delete(word)
  const visible = [...theme.features].filter((feature) => isShown(feature, theme))
  return wordsAmong(prompt, [
    ...styles,
    ...place.filter((word) => !unseen.has(word)),
    ...(notInLandscapes.has(theme.ground)
      ? []
      : lights[theme.light].split(' ').filter((word) => !elsewhere.has(word))),
    ...visible.map((feature) => features[feature]),
    ...colourLists(theme, shownColours(theme)),
  ])
}
