import type { FileRooms } from '../contracts/plugin/file-rooms.ts'
import type { PluginRoute } from '../contracts/plugin/plugin-route.ts'
import type { PluginHost } from '../contracts/plugin/plugin-host.ts'
import type {
  OpenapiParts,
  PluginFace,
  PluginSweep,
  ServicePlugin,
} from '../contracts/plugin/service-plugin.ts'
import { type AttachedPlugin, attachedPlugins, having } from './attached-plugins.ts'
import { checkPause } from './check-answers.ts'
import { type CreateCalls, createCalls } from './create-calls.ts'
import { type OutputCalls, outputCalls } from './output-calls.ts'
import { type StepCalls, stepCalls } from './step-calls.ts'
import type { Job } from '../contracts/job.ts'
import type { Log } from '../contracts/log.ts'
import { attempt } from './plugin-fault.ts'
import { withinLimit } from '../pacing/within-limit.ts'

/** The shortest and the longest pause between two looks of a sweep, in milliseconds. */
const pauseMs = { least: 10, most: 24 * 60 * 60_000 }

/** The plugins of a service as its parts use them. */
export interface ServicePlugins extends CreateCalls, OutputCalls, StepCalls, WatchCalls {
  /** All of them, in the order of the options. */
  readonly attached: readonly AttachedPlugin[]
  readonly fileRooms: FileRooms | undefined
  readonly sweeps: readonly PluginSweep[]
  /** See `PluginHooks.sweepsOnCall`. */
  readonly sweepsOnCall: boolean
  readonly routes: readonly PluginRoute[]
  /** See `PluginHooks.openapi`. */
  openapi(): readonly OpenapiParts[]
  readonly face: Pick<PluginFace, 'countRequest' | 'uploads' | 'variants'>
  /** See `PluginHooks.deleteFiles`. @throws the error of the first plugin that fails */
  deleteFiles(job: Job): Promise<void>
  /** Resolves when no plugin has work under way. Never rejects. */
  settled(): Promise<void>
}

/** Attaches the plugins of a service. @throws what `attachedPlugins` throws */
export function servicePlugins(plugins: readonly ServicePlugin[], host: PluginHost): ServicePlugins {
  const attached = attachedPlugins(plugins, host)
  const settling = having(attached, 'settled')
  const deleting = having(attached, 'deleteFiles')
  return {
    attached,
    ...createCalls(attached, host),
    ...stepCalls(attached, host),
    ...outputCalls(attached, host),
    ...watchCalls(attached, host.log),
    fileRooms: having(attached, 'fileRooms')[0]?.call,
    sweeps: having(attached, 'sweep').map(({ name, call: sweep }) => checkedSweep(name, sweep)),
    sweepsOnCall: attached.some(({ hooks }) => hooks.sweepsOnCall === true),
    routes: having(attached, 'routes').flatMap(({ call: routes }) => routes),
    openapi: () => having(attached, 'openapi').map(({ call }) => call()),
    face: Object.assign({}, ...having(attached, 'face').map((plugin) => boundedFace(plugin, host))),
    async deleteFiles(job) {
      for (const { name, call } of deleting)
        await withinLimit(host.clock, faceLimitMs, `deleteFiles of the plugin ${name}`, () => call(job))
    },
    async settled() {
      await Promise.allSettled(settling.map(async ({ call }) => call()))
    },
  }
}

/**
 * Adds the methods of plugins to a service.
 * @throws TypeError when the service has something else with the name of a method
 */
export function withMethods<Service extends object>(
  service: Service,
  plugins: readonly AttachedPlugin[],
): Service {
  for (const { name, call: methods } of having(plugins, 'methods'))
    for (const [method, call] of Object.entries(methods)) {
      if (method in service)
        throw new TypeError(
          `createGenerationService: the plugin ${name} adds a method ${method}, which the service has already.`,
        )
      Object.assign(service, { [method]: call })
    }
  return service
}

/** How long a plugin may take to count a request, or to find or delete files, in milliseconds. */
const faceLimitMs = 10_000

/** The face of a plugin whose calls end in time, but for variants. A call that stores an upload takes as long as the client sends it. */
function boundedFace(
  { name, call: { uploads, variants, countRequest } }: { readonly name: string; readonly call: PluginFace },
  { clock }: PluginHost,
): PluginFace {
  const inTime =
    <Call extends unknown[], Result>(what: string, run: (...call: Call) => Promise<Result>) =>
    (...call: Call) =>
      withinLimit(clock, faceLimitMs, `${what} of the plugin ${name}`, () => run(...call))
  // A part that is missing is no field, because it would hide the part of an earlier plugin.
  return {
    ...(countRequest && { countRequest: inTime('countRequest', countRequest) }),
    ...(variants && { variants }),
    ...(uploads && {
      uploads: {
        maxBytes: uploads.maxBytes,
        store: (...call) => uploads.store(...call),
        delete: inTime('uploads.delete', (...call: Parameters<typeof uploads.delete>) =>
          uploads.delete(...call),
        ),
        openInput: inTime('uploads.openInput', (...call: Parameters<typeof uploads.openInput>) =>
          uploads.openInput(...call),
        ),
      },
    }),
  }
}

/** A sweep whose pauses are in reason: a wrong one would keep the process busy, or end the sweep. */
function checkedSweep(name: string, { what, look }: PluginSweep): PluginSweep {
  return {
    what: `${what} (plugin ${name})`,
    async look() {
      const ms = checkPause(`The result of the sweep of the plugin ${name}`, await look())
      return Math.min(pauseMs.most, Math.max(pauseMs.least, ms))
    },
  }
}

/** The plugins of a service that see its jobs. Nothing here throws or is awaited. */
interface WatchCalls {
  /** See `PluginHooks.wrote`. */
  wrote(job: Job, before: Job | undefined): void
  /** See `PluginHooks.due`. */
  due(job: Job): void
  /** See `PluginHooks.started`. */
  started(): void
}

function watchCalls(plugins: readonly AttachedPlugin[], log: Log): WatchCalls {
  const writing = having(plugins, 'wrote')
  const reading = having(plugins, 'due')
  const starting = having(plugins, 'started')

  return {
    wrote(job, before) {
      for (const { name, call } of writing)
        attempt(log, { name, moment: 'wrote', job }, () => call(job, before))
    },
    due(job) {
      for (const { name, call } of reading) attempt(log, { name, moment: 'due', job }, () => call(job))
    },
    started() {
      for (const { name, call } of starting) attempt(log, { name, moment: 'started', job: undefined }, call)
    },
  }
}
