import { expect, test } from 'vitest'
import { randomFrom } from './random.ts'
import { readTheme } from './theme.ts'

test.each([
  ['A mountain lake at sunset', 'mountains', 'sunset', ['water']],
  ['neon-lit streets of Tokyo in the rain', 'city', 'neon', ['rain']],
  ['Sailboats on a stormy sea', 'sea', 'storm', ['boat', 'clouds']],
  ['misty pine forests at dawn, fireflies', 'forest', 'dawn', ['fog', 'fireflies']],
  ['wildflowers in spring', 'meadow', 'day', ['flowers']],
  ['an erupting volcano at night', 'volcano', 'night', []],
  ['Saturn', 'space', undefined, ['ring']],
  ['sharks over a coral reef', 'underwater', undefined, []],
  ['Northern lights above snowy mountains', 'mountains', 'night', ['aurora', 'snow']],
  ['A quiet forest lake in the rain', 'forest', 'storm', ['water', 'rain']],
  ['a cabin in a snowy forest', 'forest', 'winter', ['cabin', 'snow']],
  ['lightning over the sea', 'sea', 'storm', ['lightning']],
])(
  'a procedural picture of the prompt %j has the ground, the light and the features that the prompt names',
  (prompt, ground, light, features) => {
    const theme = readTheme(prompt, randomFrom('any'))
    expect(theme.ground).toBe(ground)
    if (light !== undefined) expect(theme.light).toBe(light)
    for (const feature of features) expect(theme.features).toContain(feature)
  },
)

test.each(['a cabin in snow', 'snowfall', 'the arctic'])(
  'snow of a prompt that names no ground, as %j, lies on mountains or in a forest',
  (prompt) => {
    const grounds = Array.from({ length: 30 }, (_, seed) => readTheme(prompt, randomFrom(`${seed}`)).ground)
    expect([...new Set(grounds)].toSorted()).toEqual(['forest', 'mountains'])
  },
)

test('a prompt that names two colours gives a procedural picture these colours', () => {
  expect(readTheme('teal and orange', randomFrom('any')).colours).toHaveLength(2)
})

test('a prompt of unknown words gives each seed a ground of its own, and the same seed the same picture', () => {
  const grounds = Array.from({ length: 40 }, (_, seed) => readTheme('xyzzy', randomFrom(`${seed}`)).ground)
  expect(new Set(grounds).size).toBeGreaterThan(3)
  expect(readTheme('xyzzy', randomFrom('1'))).toEqual(readTheme('xyzzy', randomFrom('1')))
})
