import { expect, test } from 'vitest'
import { fakeWorld } from '@genmount/testing'
import { failing, pluginOf } from '../test-kit/plugin-of.ts'

const serviceWith = (...plugins: ReturnType<typeof pluginOf>[]) => fakeWorld({}, { plugins }).service

test('two plugins with one name are refused', () => {
  expect(() => serviceWith(pluginOf('audit', {}), pluginOf('audit', {}))).toThrow(
    new TypeError('createGenerationService: there are two plugins with the name audit.'),
  )
})

test.each([
  ['fields of a create', { createFields: { names: {}, webhookOf: () => undefined } }],
  ['rooms for files', { fileRooms: {} }],
  ['uploads', { face: { uploads: {} } }],
  ['a count of requests', { face: { countRequest: async () => undefined } }],
])('two plugins that both have %s are refused, by their names', (what, hooks) => {
  expect(() =>
    serviceWith(pluginOf('one', hooks), pluginOf('between', {}), pluginOf('other', hooks)),
  ).toThrow(
    new TypeError(`createGenerationService: the plugins one and other both have ${what}; one may have it.`),
  )
})

test.each([
  [undefined, 'plugin audit: hooks must be an object, not undefined.'],
  ['wrote', 'plugin audit: hooks must be an object, not a text.'],
  [Promise.resolve({}), 'plugin audit: hooks must be an object, not a promise: await it.'],
  [{ admitt: () => {} }, 'plugin audit: hooks.admitt is not an option; did you mean admit?'],
  [{ wrote: 'yes' }, 'plugin audit: hooks.wrote must be a function, not a text.'],
  [{ sweep: () => 5 }, 'plugin audit: hooks.sweep must be an object with what and look(), not a function.'],
  [
    { sweep: { what: 5, look: async () => 5 } },
    'hooks.sweep must be an object with what and look(), not an object.',
  ],
  [{ face: { uploads: true } }, 'plugin audit: hooks.face.uploads must be an object'],
  [{ started: 5 }, 'plugin audit: hooks.started must be a function'],
  [
    { routes: [{ method: 'GET', path: '/notes', answer() {} }] },
    'plugin audit: hooks.routes[0] must be a route',
  ],
  [{ fileRooms: 5 }, 'plugin audit: hooks.fileRooms must be'],
])('a plugin whose attach returns %o is refused with the reason', (hooks, words) => {
  expect(() => serviceWith(pluginOf('audit', hooks))).toThrow(words)
})

test('a plugin whose attach rejects is refused, and its rejection ends no process', () => {
  const late = { name: 'late', attach: (async () => failing()()) as never }
  expect(() => fakeWorld({}, { plugins: [late] }).service).toThrow('plugin late: hooks must be an object')
})

test('a plugin that does not fit the service stops its construction with its own error', () => {
  const misfit = { name: 'misfit', attach: failing('misfit needs a ledger.') }
  expect(() => fakeWorld({}, { plugins: [misfit] }).service).toThrow('misfit needs a ledger.')
})
