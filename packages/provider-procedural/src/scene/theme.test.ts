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
  ['northern lights over snowy peaks', 'mountains', 'winter', ['aurora', 'snow']],
])(
  'a procedural picture of the prompt %j has the ground, the light and the features that the prompt names',
  (prompt, ground, light, features) => {
    const theme = readTheme(prompt, randomFrom('any'))
    expect(theme.ground).toBe(ground)
    if (light !== undefined) expect(theme.light).toBe(light)
    for (const feature of features) expect(theme.features).toContain(feature)
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
