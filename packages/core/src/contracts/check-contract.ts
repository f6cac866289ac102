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

const checkModelPrice: Check<ModelPrice> = (name, value) => {
  const price = checkObject(name, value, " such as { text: '0.04 USD per image' }") as unknown as ModelPrice
  text()(`${name}.text`, price.text)
  return price
}

const checkDay = text('a day such as 2026-12-01', /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/)

/** Checks an option that says when a model ends. */
export const checkModelEnd: Check<ModelEnd> = (name, value) => {
  const end = checkObject(name, value, " such as { on: '2026-12-01' }") as unknown as ModelEnd
  checkDay(`${name}.on`, end.on)
  optional(text())(`${name}.replacement`, end.replacement)
  return end
}

/** Checks a {@link Model}. */
export const checkModel: Check<Model> = (name, value) => {
  const model = checkObject(name, value, ' with id, outputKind and input') as unknown as Model
  text()(`${name}.id`, model.id)
  choice('image', 'video')(`${name}.outputKind`, model.outputKind)
  checkSchema(`${name}.input`, model.input)
  optional(count(1, 3650))(`${name}.retentionDays`, model.retentionDays)
  optional(count())(`${name}.deadlineMs`, model.deadlineMs)
  optional(count())(`${name}.callTimeoutMs`, model.callTimeoutMs)
  optional(count(0))(`${name}.typicalMs`, model.typicalMs)
  optional(text())(`${name}.description`, model.description)
  optional(checkModelEnd)(`${name}.end`, model.end)
  optional(checkModelPrice)(`${name}.price`, model.price)
  return model
}

const serving = contract<Provider>('a provider such as proceduralProvider()', ['submit', 'poll'])

/** Checks an option that is a {@link Provider}, and its models. */
export const checkProvider: Check<Provider> = (name, value) => {
  const provider = serving(name, value)
  text()(`${name}.name`, provider.name)
  optional(count())(`${name}.callTimeoutMs`, provider.callTimeoutMs)
  optional(count())(`${name}.maxConcurrentJobs`, provider.maxConcurrentJobs)
  listOf('a list of models', checkModel)(`${name}.models`, provider.models)
  return provider
}
