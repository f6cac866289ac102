import { betweenWords, formsOf } from './prompt-words.ts'
import { type Random, pick } from './random.ts'

export type Ground =
  | 'mountains'
  | 'forest'
  | 'sea'
  | 'desert'
  | 'city'
  | 'meadow'
  | 'volcano'
  | 'space'
  | 'underwater'
  | 'silk'
  | 'ribbons'
  | 'geometry'

export type Light = 'dawn' | 'day' | 'sunset' | 'dusk' | 'night' | 'storm' | 'golden' | 'winter' | 'neon'

export type Feature =
  | 'water'
  | 'snow'
  | 'peaks'
  | 'snowfall'
  | 'rain'
  | 'fog'
  | 'stars'
  | 'aurora'
  | 'moon'
  | 'clouds'
  | 'clear'
  | 'birds'
  | 'boat'
  | 'flowers'
  | 'fireflies'
  | 'lighthouse'
  | 'balloon'
  | 'embers'
  | 'palms'
  | 'ring'
  | 'cabin'
  | 'castle'
  | 'lightning'

/** What a prompt describes. Only the words in the lists of this file are understood. */
export interface Theme {
  readonly ground: Ground
  readonly light: Light
  readonly features: ReadonlySet<Feature>
  /** Colours named in the prompt, as hex. */
  readonly colours: readonly string[]
}

export const grounds: Record<Ground, string> = {
  underwater:
    'underwater undersea reef coral fish whale shark jellyfish seabed submarine octopus turtle dolphin mermaid aquarium diving',
  space:
    'space galaxy nebula cosmos cosmic planet universe astronaut spaceship rocket orbit saturn mars jupiter alien asteroid comet interstellar milky',
  volcano: 'volcano lava eruption magma volcanic inferno',
  city: 'city skyline town street building skyscraper tokyo york paris london downtown urban metropolis cyberpunk village shanghai architecture car taxi',
  sea: 'sailboat lighthouse sea ocean beach coast wave island shore harbor harbour sail ship boat lighthouse bay surf tropical marina yacht seaside pier',
  desert: 'desert dune sahara sand cactus camel oasis canyon pyramid egypt savanna savannah',
  forest:
    'forest wood woods jungle pine tree trees bamboo grove deer fox bear wolf owl rainforest redwood fairy',
  mountains:
    'mountain peak alps summit hiking himalaya everest glacier cliff valley fjord hill highland dragon eagle patagonia fuji lake',
  meadow:
    'meadow field flower grass garden farm prairie wheat lavender poppy tulip sunflower rose countryside landscape scenery horse cow sheep rabbit bunny cat dog puppy kitten picnic butterfly spring',
  geometry:
    'geometric geometry bauhaus circle square triangle minimal minimalist shape cubist cubism logo poster mondrian kandinsky pattern',
  ribbons: 'ribbon stripe layered curve paper gradient wallpaper strata vector music song melody jazz',
  silk: 'abstract silk fluid marble liquid smoke ink dream dreams mind swirl psychedelic surreal energy flow chaos emotion love',
}

export const lights: Record<Light, string> = {
  neon: 'neon cyberpunk synthwave vaporwave retrowave futuristic',
  night: 'night midnight star stars starry moon moonlit moonlight aurora nocturnal dark milky',
  storm: 'storm stormy thunder thunderstorm lightning rain rainy overcast gloomy grey gray tempest moody',
  dusk: 'dusk twilight evening blue-hour calm serene purple violet',
  sunset: 'sunset sundown dramatic epic fiery red orange lava volcano',
  dawn: 'dawn sunrise morning soft pastel pink gentle peaceful romantic',
  golden: 'golden autumn fall harvest warm wheat amber desert savanna yellow cozy vintage nostalgic',
  winter: 'winter snow snowy ice icy frozen glacier frost cold christmas arctic polar',
  day: 'day noon sun sunny sunlight sunshine light bright summer blue clear daylight happy cheerful spring tropical green lush',
}

/** The kinds of light that suit a place, for prompts that name no light. */
const fittingLights: Partial<Record<Ground, readonly [Light, ...Light[]]>> = {
  city: ['night', 'dusk', 'sunset', 'neon'],
  desert: ['golden', 'sunset', 'day'],
  meadow: ['day', 'dawn', 'golden'],
  forest: ['dawn', 'day', 'golden'],
  volcano: ['dusk', 'night', 'sunset'],
}

export const features: Record<Feature, string> = {
  water: 'lake river reflection water pond fjord mirror',
  snow: 'snow snowy snowing snowfall winter ice icy frozen arctic polar christmas',
  peaks: 'glacier alps himalaya everest peak summit',
  snowfall: 'snowfall snowing snowstorm blizzard snowflakes christmas',
  rain: 'rain rainy raining storm thunderstorm drizzle monsoon',
  fog: 'fog foggy mist misty haze hazy',
  stars: 'star starry galaxy milky constellation',
  aurora: 'aurora borealis northern',
  moon: 'moon moonlit moonlight lunar',
  clouds: 'cloud cloudy clouds sky stormy overcast dramatic epic',
  clear: 'clear cloudless',
  birds: 'bird seagull eagle flock crow raven geese swan',
  boat: 'boat sailboat sail ship yacht sailing canoe fisherman',
  flowers: 'flower tulip poppy rose lavender blossom sunflower daisy garden wildflower cherry sakura spring',
  fireflies: 'firefly fireflies magic magical fairy enchanted',
  lighthouse: 'lighthouse',
  balloon: 'balloon',
  embers: 'fire ember lava volcano flame inferno campfire',
  ring: 'ring ringed saturn',
  castle: 'castle fortress citadel palace',
  cabin: 'cabin hut cottage house chalet barn farmhouse lodge shack',
  lightning: 'lightning thunder thunderstorm',
  palms: 'tropical palm beach island paradise caribbean hawaii',
}

export const colourWords: Record<string, string> = {
  red: '#d7263d',
  crimson: '#b3122f',
  scarlet: '#e0301e',
  orange: '#f5821f',
  amber: '#ffb000',
  gold: '#e8b023',
  yellow: '#f7d038',
  lime: '#a4de02',
  green: '#2e9e4f',
  emerald: '#0f9d6b',
  mint: '#7fd8b4',
  teal: '#10939b',
  turquoise: '#30c5c9',
  cyan: '#22c7e8',
  blue: '#2266d3',
  azure: '#3a8dff',
  navy: '#1b2a6b',
  indigo: '#4336b5',
  violet: '#7a3fc9',
  purple: '#7d2fb5',
  lavender: '#a98be0',
  magenta: '#d6219c',
  pink: '#f07ab0',
  rose: '#e0607e',
  brown: '#7b4a2b',
  black: '#15151c',
  white: '#f2f0ea',
  grey: '#8a8d93',
  gray: '#8a8d93',
  silver: '#b8bec8',
  copper: '#c06a38',
}

export function readTheme(prompt: string, random: Random): Theme {
  const words = prompt.toLowerCase().split(betweenWords).map(formsOf)
  const named = (list: string): number => {
    const themeWords = new Set(list.split(' '))
    return words.filter((forms) => forms.some((form) => themeWords.has(form))).length
  }
  const best = <K extends string>(table: Record<K, string>): K | undefined => {
    const ranked = (Object.keys(table) as K[]).map((key) => ({ key, count: named(table[key]) }))
    const top = ranked.reduce((a, b) => (b.count > a.count ? b : a))
    return top.count > 0 ? top.key : undefined
  }
  const matches = new Set(
    (Object.keys(features) as Feature[]).filter((feature) => named(features[feature]) > 0),
  )
  // There are no northern lights by day, whatever else the prompt names.
  const light = matches.has('aurora') ? 'night' : best(lights)
  const ground =
    best(grounds) ??
    (light !== undefined || matches.size > 0
      ? pick(random, fittingGrounds(matches))
      : pick(random, ['silk', 'ribbons', 'geometry', 'silk', 'mountains', 'space']))
  return {
    ground,
    light:
      light ??
      pick(random, fittingLights[ground] ?? ['dawn', 'day', 'sunset', 'sunset', 'dusk', 'golden', 'night']),
    features: matches,
    colours: Object.entries(colourWords).flatMap(([word, hex]) => (named(word) > 0 ? [hex] : [])),
  }
}

/** The grounds on which a feature is drawn. @default every landscape */
export const placesOf: Partial<Record<Feature, readonly Ground[]>> = {
  water: ['mountains', 'forest', 'volcano', 'sea', 'city'],
  snow: ['mountains', 'forest', 'meadow', 'desert', 'volcano'],
  peaks: ['mountains'],
  boat: ['sea'],
  lighthouse: ['sea'],
  palms: ['sea'],
  fog: ['mountains', 'forest', 'meadow', 'desert', 'volcano'],
  cabin: ['mountains', 'forest', 'meadow', 'volcano'],
  castle: ['mountains', 'meadow'],
  ring: ['space'],
}

/** The grounds on which one sees what a prompt names, for prompts that name no ground. */
function fittingGrounds(matches: ReadonlySet<Feature>): readonly [Ground, ...Ground[]] {
  const landscapes = ['mountains', 'sea', 'meadow', 'forest'] as const
  const fits = [...landscapes, ...(matches.has('ring') ? ['space' as const] : [])].filter((ground) =>
    [...matches].every((feature) => placesOf[feature]?.includes(ground) ?? true),
  )
  const [first, ...others] = matches.has('snow') ? fits.filter((ground) => ground !== 'meadow') : fits
  return first === undefined ? landscapes : [first, ...others]
}
