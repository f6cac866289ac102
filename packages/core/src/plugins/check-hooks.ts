import type { VendorCallbacks } from '../contracts/callbacks.ts'
import type { FileRooms } from '../contracts/file-rooms.ts'
import type { PluginRoute } from '../contracts/plugin-route.ts'
import type { PluginFace, PluginHooks } from '../contracts/service-plugin.ts'
import { accepts, callable, type Check, listOf, optional } from '../errors/check-option.ts'
import { checkObject, checkOptions, type OptionTable } from '../errors/check-options.ts'
import { kindOf } from '../errors/kind-of.ts'
import { checkSweep } from './check-answers.ts'

const face = {
  uploads: optional(checkObject as Check),
  countRequest: optional(callable()),
} satisfies OptionTable<PluginFace>

const checkRoute = accepts<PluginRoute>(
  'a route with a method, a path such as /v1/audit/:id and answer()',
  (value) => {
    const { method, path, answer } = (value ?? {}) as Partial<PluginRoute>
    const isPath = typeof path === 'string' && /^\/v1\/(?:[\w.:-]+\/)*[\w.:-]+$/.test(path)
    return isPath && ['DELETE', 'GET', 'POST'].includes(method ?? '') && typeof answer === 'function'
  },
)

const checkCallbacks = accepts<VendorCallbacks>('an object with urlOf() and arriveFrom()', (value) => {
  const { urlOf, arriveFrom } = (value ?? {}) as Partial<VendorCallbacks>
  return typeof urlOf === 'function' && typeof arriveFrom === 'function'
})

const checkMethods = accepts<object>(
  'an object of functions',
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((method) => typeof method === 'function'),
)

const table = {
  resolveInput: optional(callable()),
  webhookOf: optional(callable()),
  admit: optional(callable()),
  submitInput: optional(callable()),
  taskInput: optional(callable()),
  checkOutputs: optional(callable()),
  wrote: optional(callable()),
  started: optional(callable()),
  due: optional(callable()),
  sweep: optional(checkSweep),
  routes: optional(listOf('a list of routes', checkRoute)),
  ready: optional(callable()),
  settled: optional(callable()),
  close: optional(callable()),
  fileRooms: optional(checkObject as Check<FileRooms & Readonly<Record<string, unknown>>>),
  vendorCallbacks: optional(checkCallbacks),
  methods: optional(checkMethods),
  face: optional((name, value) => checkOptions(name, value, face)),
} satisfies OptionTable<PluginHooks>

/**
 * Checks what a plugin does. A name that is no moment of a job's life is refused, because its function would never be called.
 * @throws TypeError that names the plugin and the function
 */
export function checkHooks(plugin: string, hooks: unknown): PluginHooks {
  const at = `plugin ${plugin}: hooks`
  if (hooks === undefined || hooks instanceof Promise) {
    if (hooks) hooks.catch(() => {})
    throw new TypeError(`${at} must be an object, not ${kindOf(hooks)}.`)
  }
  checkOptions(at, hooks, table)
  return hooks as PluginHooks
}
