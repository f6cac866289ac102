import * as v from 'valibot'
import { expect, test } from 'vitest'
import { closedInput, onlyWith, onlyWithout, requiredUnless } from './closed-input.ts'
import { choiceField, numberField, textField, wholeNumberField } from './fields.ts'

function faultsIn(schema: v.GenericSchema, input: unknown) {
  return v.safeParse(schema, input).issues?.map((issue) => [v.getDotPath(issue), issue.message])
}

const closed = closedInput({
  prompt: textField('prompt', 9),
  seed: v.optional(wholeNumberField('seed', 0, 9)),
})

test.each([
  [{}, 'prompt', 'prompt is required.'],
  [{ prompt: ' ' }, 'prompt', 'prompt must be a text of 1 to 9 characters.'],
  [{ prompt: 'ten letter' }, 'prompt', 'prompt must be a text of 1 to 9 characters.'],
  [{ prompt: 'a', seed: 0.5 }, 'seed', 'seed must be a whole number from 0 to 9.'],
  [{ prompt: 'a', colour: 'red' }, 'colour', 'colour is unknown; this model accepts prompt, seed.'],
  ['a fox', null, 'The input must be an object with the fields prompt, seed.'],
])('closedInput refuses %j with an error that names the field', (input, field, message) => {
  expect(faultsIn(closed, input)).toEqual([[field, message]])
})

test('the error about a missing field also names unknown fields, one of which may be misspelt', () => {
  expect(faultsIn(closed, { promt: 'a fox' })?.[0]).toEqual([
    'prompt',
    'prompt is required, and promt is unknown; this model accepts prompt, seed.',
  ])
})

test('a field may be left out where an alternative field is given', () => {
  const schema = v.pipe(
    closedInput({
      prompt: v.optional(v.string()),
      image: v.optional(v.string()),
      mask: v.optional(v.string()),
    }),
    requiredUnless('prompt', ['image']),
    onlyWith('mask', 'image'),
  )
  expect(faultsIn(schema, { prompt: 'a' })).toBeUndefined()
  expect(faultsIn(schema, { image: 'a', mask: 'b' })).toBeUndefined()
  expect(faultsIn(schema, {})).toEqual([['prompt', 'prompt is required, unless image is given.']])
  expect(faultsIn(schema, { prompt: 'a', mask: 'b' })).toEqual([
    ['mask', 'mask is only accepted together with image.'],
  ])
})

test('of two exclusive fields either is accepted alone', () => {
  const text = v.optional(v.string())
  const schema = v.pipe(closedInput({ image: text, video: text }), onlyWithout('image', 'video'))
  for (const input of [{}, { image: 'a' }, { video: 'b' }]) expect(faultsIn(schema, input)).toBeUndefined()
  expect(faultsIn(schema, { image: 'a', video: 'b' })).toEqual([
    ['image', 'image is not accepted together with video.'],
  ])
})

test.each([
  [numberField('cfg'), '7', 'cfg must be a number.'],
  [numberField('cfg', 1), 0.5, 'cfg must be a number of at least 1.'],
  [wholeNumberField('n', undefined, 4), 5, 'n must be a whole number of at most 4.'],
  [wholeNumberField('n'), 2 ** 53, 'n must be a whole number.'],
  [choiceField('size', ['S', 2]), '2', 'size must be one of S, 2.'],
  [textField('note', 9, 0), 7, 'note must be a text of 0 to 9 characters.'],
])('closedInput says in the error of wrong input %# what the field accepts', (field, value, message) => {
  expect(faultsIn(field, value)?.[0]?.[1]).toBe(message)
})
