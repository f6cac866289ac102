import {
  callable,
  type Check,
  choice,
  count,
  listOf,
  optional,
  text,
  contract,
} from '../errors/check-option.ts'
import { checkObject } from '../errors/check-options.ts'
import type { Backend } from './storage/backend.ts'
import type { Clock } from './clock.ts'
import type { FileFetch, FileStore } from './storage/file-store.ts'
import type { Log } from './log.ts'
import type { Model, ModelEnd, ModelPrice, Provider } from './provider.ts'
import type { WebhookSender } from './plugin/webhooks.ts'

/** Checks an option that is a {@link Clock}. */
export const checkClock: Check<Clock> = contract<Clock>('a clock such as systemClock()', [
  'now',
  'uptime',
  'after',
])

/** Checks an option that is a {@link Log}. */
export const checkLog: Check<Log> = contract<Log>('a log such as console', ['warn', 'error'])

/** Checks an option that is a {@link Backend}. */
export const checkBackend: Check<Backend> = contract<Backend>('a backend such as sqliteBackend({ file })', [
  'jobs.insert',
  'jobs.findByIdempotencyKey',
  'jobs.get',
  'jobs.replace',
  'jobs.due',
  'jobs.expired',
  'jobs.delete',
  'scheduler.start',
  'scheduler.wakeAt',
  'scheduler.stop',
  'signals.publish',
  'signals.subscribe',
  'close',
])

/** Checks an option that is a {@link WebhookSender}. */
export const checkWebhookSender: Check<WebhookSender> = contract<WebhookSender>(
  'a sender of webhooks: an object with refusal() and send()',
  ['refusal', 'send'],
)

const fileStore = contract<FileStore>('a file store such as diskFiles({ folder })', ['put', 'delete'])

/** Checks an option that is a {@link FileFetch}. */
export const checkFileFetch: Check<FileFetch> = callable('guardedFetch')

/** Checks an option that is a {@link FileStore}. */
export const checkFileStore: Check<FileStore> = (name, value) => {
  const files = fileStore(name, value)
  if (typeof (files.open ?? files.link) !== 'function')
    throw new TypeError(
      `${name} must be a file store such as diskFiles({ folder }): it has neither open nor link.`,
    )
  optional(checkFileFetch)(`${name}.fetch`, files.fetch)
  return files
}

/** Checks an option that is the schema of an input. */
export const checkSchema: Check<Model['input']> = contract<Model['input']>(
  'a Standard Schema, such as one of valibot, zod or arktype',
  ['~standard.validate'],
)

/**
 * A check of an object by its fields. Fields without a check may be there.
 * @param check checks that it is the object
 */
/* @__NO_SIDE_EFFECTS__ */
function withFields<Value extends object>(
  check: Check,
  fields: { readonly [Name in keyof Value]?: Check },
): Check<Value> {
  return (name, value) => {
    const whole = check(name, value) as Value
    for (const field in fields) fields[field]?.(`${name}.${field}`, whole[field])
    return whole
  }
}

/* @__NO_SIDE_EFFECTS__ */
function objectSuch(such: string): Check {
  return (name, value) => checkObject(name, value, such)
}

const checkModelPrice = withFields<ModelPrice>(objectSuch(" such as { text: '0.04 USD per image' }"), {
  text: text(),
})

/** Checks an option that says when a model ends. */
export const checkModelEnd: Check<ModelEnd> = withFields<ModelEnd>(
  objectSuch(" such as { on: '2026-12-01' }"),
  {
    on: text('a day such as 2026-12-01', /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/),
    replacement: optional(text()),
  },
)

/** Checks a {@link Model}. */
export const checkModel: Check<Model> = withFields<Model>(objectSuch(' with id, outputKind and input'), {
  id: text(),
  outputKind: choice('image', 'video'),
  input: checkSchema,
  retentionDays: optional(count(1, 3650)),
  deadlineMs: optional(count()),
  callTimeoutMs: optional(count()),
  typicalMs: optional(count(0)),
  description: optional(text()),
  end: optional(checkModelEnd),
  price: optional(checkModelPrice),
})

/** Checks an option that is a {@link Provider}, and its models. */
export const checkProvider: Check<Provider> = withFields<Provider>(
  contract<Provider>('a provider such as proceduralProvider()', ['submit', 'poll']),
  {
    name: text(),
    callTimeoutMs: optional(count()),
    maxConcurrentJobs: optional(count()),
    models: listOf('a list of models', checkModel),
  },
)
