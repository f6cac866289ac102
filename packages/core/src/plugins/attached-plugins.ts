import type { PluginHost } from '../contracts/plugin/plugin-host.ts'
import type {
  CreateFields,
  PluginHooks,
  ServicePlugin,
  PluginFace,
} from '../contracts/plugin/service-plugin.ts'
import { type Check, flag, listOf, callable, optional, kindOf } from '../errors/check-option.ts'
import type { VendorCallbacks } from '../contracts/plugin/callbacks.ts'
import type { FileRooms } from '../contracts/plugin/file-rooms.ts'
import type { PluginRoute } from '../contracts/plugin/plugin-route.ts'
import { checkObject, checkOptions, type OptionTable } from '../errors/check-options.ts'
import { answer, checkSweep, isFunction, isObject, isText } from './check-answers.ts'

/** Checks the option `plugins`. */
export const checkPlugins: Check<readonly ServicePlugin[]> = listOf(
  'a list of plugins',
  answer(
    'a plugin with a name and attach(), such as limits({ runningJobs: 20 })',
    ({ name, attach }) => isText(name) && isFunction(attach),
  ),
)

/** A plugin of a service, with what it does. */
export interface AttachedPlugin {
  readonly name: string
  readonly hooks: PluginHooks
}

/** What one plugin of a service at most may have: two would contradict each other. */
const single = {
  'a function reserve': (hooks: PluginHooks) => hooks.reserve,
  'a function readOutput': (hooks: PluginHooks) => hooks.readOutput,
  'fields of a create': (hooks: PluginHooks) => hooks.createFields,
  'callbacks of vendors': (hooks: PluginHooks) => hooks.vendorCallbacks,
  'rooms for files': (hooks: PluginHooks) => hooks.fileRooms,
  uploads: (hooks: PluginHooks) => hooks.face?.uploads,
  'variants of outputs': (hooks: PluginHooks) => hooks.face?.variants,
  'a count of requests': (hooks: PluginHooks) => hooks.face?.countRequest,
}

/**
 * Attaches the plugins of a service, in their order.
 * @throws TypeError when two plugins have the same name, or both have what only one may have, or one has a hook that there is
 *   not; the error of a plugin that
 *   does not fit the service
 */
export function attachedPlugins(
  plugins: readonly ServicePlugin[],
  host: PluginHost,
): readonly AttachedPlugin[] {
  const names = new Set<string>()
  const attached: AttachedPlugin[] = []
  for (const plugin of plugins) {
    const { name } = plugin
    if (names.has(name))
      throw new TypeError(`createGenerationService: there are two plugins with the name ${name}.`)
    names.add(name)
    attached.push({ name, hooks: checkHooks(name, plugin.attach(host)) })
  }
  for (const [what, partOf] of Object.entries(single)) {
    const [one, other] = attached.filter(({ hooks }) => partOf(hooks) !== undefined)
    if (one && other)
      throw new TypeError(
        `createGenerationService: the plugins ${one.name} and ${other.name} both have ${what}; one may have it.`,
      )
  }
  return attached
}

/** The plugins that have this function, with it. */
export function having<Name extends keyof PluginHooks>(
  plugins: readonly AttachedPlugin[],
  name: Name,
): readonly { readonly name: string; readonly call: NonNullable<PluginHooks[Name]> }[] {
  return plugins.flatMap(({ name: plugin, hooks }) => {
    const call = hooks[name]
    return call ? [{ name: plugin, call: call as NonNullable<PluginHooks[Name]> }] : []
  })
}

const face = {
  uploads: optional(checkObject as Check),
  variants: optional(checkObject as Check),
  countRequest: optional(callable()),
} satisfies OptionTable<PluginFace>

const checkRoute = answer<PluginRoute>(
  'a route with a method, a path such as /v1/audit/:id and answer()',
  ({ method, path, answer: answers, authenticate }) =>
    typeof path === 'string' &&
    /^\/v1\/(?:[\w.:-]+\/)*[\w.:-]+$/.test(path) &&
    ['DELETE', 'GET', 'POST'].includes(method as string) &&
    isFunction(answers) &&
    (authenticate === undefined || isFunction(authenticate)),
)

const checkCallbacks = answer<VendorCallbacks>(
  'an object with urlOf() and arriveFrom()',
  ({ urlOf, arriveFrom }) => isFunction(urlOf) && isFunction(arriveFrom),
)

const checkFields = answer<CreateFields>(
  'an object with names and webhookOf()',
  ({ names, webhookOf }) => isObject(names) && Object.values(names).every(isText) && isFunction(webhookOf),
)

const checkMethods = answer<object>('an object of functions', (methods) =>
  Object.values(methods).every(isFunction),
)

const moment = optional(callable())

const table = {
  resolveInput: moment,
  admit: moment,
  reserve: moment,
  awaitsInput: moment,
  submitInput: moment,
  taskInput: moment,
  checkOutputs: moment,
  changeOutput: moment,
  readOutput: moment,
  deleteFiles: moment,
  wrote: moment,
  started: moment,
  due: moment,
  sweep: optional(checkSweep),
  sweepsOnCall: optional(flag),
  createFields: optional(checkFields),
  routes: optional(listOf('a list of routes', checkRoute)),
  openapi: moment,
  ready: moment,
  settled: moment,
  close: moment,
  fileRooms: optional(checkObject as Check<FileRooms & Readonly<Record<string, unknown>>>),
  vendorCallbacks: optional(checkCallbacks),
  methods: optional(checkMethods),
  face: optional((name, value) => checkOptions(name, value, face)),
} satisfies OptionTable<PluginHooks>

/**
 * Checks what a plugin does. A name that is no moment of a job's life is refused, because its function would never be called.
 * @throws TypeError that names the plugin and the function
 */
function checkHooks(plugin: string, hooks: unknown): PluginHooks {
  const at = `plugin ${plugin}: hooks`
  if (hooks === undefined || hooks instanceof Promise) {
    if (hooks) hooks.catch(() => {})
    throw new TypeError(`${at} must be an object, not ${kindOf(hooks)}.`)
  }
  checkOptions(at, hooks, table)
  return hooks as PluginHooks
}
