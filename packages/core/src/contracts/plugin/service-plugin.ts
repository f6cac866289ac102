import type { VendorCallbacks } from './callbacks.ts'
import type { FileRooms } from './file-rooms.ts'
import type { Job } from '../job.ts'
import type { SpendingBudget } from '../storage/job-store.ts'
import type { JsonObject } from '../json.ts'
import type { Model, Provider } from '../provider.ts'
import type { ProviderTask } from '../provider-task.ts'
import type { OutputChange, OutputFile, OutputObjection, OutputReading } from './output-change.ts'
import type { OutputVariants } from './output-variants.ts'
import type { PluginHost } from './plugin-host.ts'
import type { ResolvedInput, SubmitInput } from './plugin-inputs.ts'
import type { PluginRoute } from './plugin-route.ts'
import type { Output } from '../provider-report.ts'
import type { Uploads } from './uploads.ts'
import type { JobWebhook } from '../job-webhook.ts'

/**
 * A feature of the service, such as `limits` or `uploads`. The service calls its plugins in the order of the option
 * `plugins`, and knows nothing else about them. An app can write its own.
 * @typeParam Methods what it adds to the service, for the app to call
 * @example
 * const audit: ServicePlugin = {
 *   name: 'audit',
 *   attach: () => ({ wrote: (job, before) => console.log(job.id, before?.phase ?? 'new', '->', job.phase) }),
 * }
 */
export interface ServicePlugin<Methods extends object = object> {
  /** Names the plugin in errors and in the log. Each plugin of a service has its own name. */
  readonly name: string
  /**
   * Called once, while the service is made. It starts nothing: a timer, for example, begins at `sweep`.
   * @returns what the plugin does at the moments of a job's life
   * @throws TypeError when the plugin does not fit the other options of the service
   */
  attach(host: PluginHost): PluginHooks<Methods>
}

/** The methods that these plugins add to the service. */
export type MethodsOf<Plugins extends readonly ServicePlugin[]> = (
  Plugins[number] extends infer Plugin
    ? Plugin extends ServicePlugin<infer Methods>
      ? object extends Methods
        ? never
        : (methods: Methods) => void
      : never
    : never
) extends (methods: infer All) => void
  ? All
  : never

/**
 * What a plugin does at the moments of a job's life. Each function is optional. A function that throws or takes too long
 * costs no job, nor does one that returns something else than what is said here: that counts as an error. What follows from
 * an error is said at each function. It goes to the log, with the plugin's name and the job. The functions are called without
 * `this`, and must not change what they get, unless it is a copy.
 */
export interface PluginHooks<Methods extends object = object> {
  /**
   * Replaces texts in the input of a create before the model validates it, such as references to uploads. It may take up to
   * 60 seconds.
   * @returns `undefined` when there is nothing to replace
   * @throws GenerationError to refuse the create. Other errors answer it as `internal_error`
   */
  readonly resolveInput?:
    | ((owner: string, input: JsonObject) => Promise<ResolvedInput | undefined> | undefined)
    | undefined
  /** Fields of a create that are the plugin's, and no part of the input of a model. One plugin at most has them. */
  readonly createFields?: CreateFields | undefined
  /**
   * Admits a valid job, or refuses it. It may take up to 60 seconds. It is also asked for a dry run, of which nothing is
   * stored: see `NewJob.isDryRun`.
   * @returns the place of the job, if the plugin counts places
   * @throws GenerationError to refuse the create. Other errors answer it as `internal_error`. In both cases nothing is
   *   stored, and the places that plugins have given are taken back
   */
  readonly admit?: ((create: NewJob) => JobPlace | void | Promise<JobPlace | void>) | undefined
  /**
   * Reserves more for a job, before a submit that may cost more than what `admit` has reserved: by another route of its model,
   * or again after a submit with an unknown outcome. It may take up to 10 seconds. After an error the submit is tried again
   * later, until the deadline of the job. One plugin at most has it.
   * @returns what the job reserves from then on; `undefined` when what is reserved is enough
   */
  readonly reserve?:
    | ((submit: NextSubmit) => Reservation | undefined | Promise<Reservation | undefined>)
    | undefined
  /**
   * Says whether something that the input of a job needs is still awaited, such as an output of another job. Asked for a job
   * whose `resolveInput` has returned `awaitedUntil`, until nothing is awaited; the submit follows. `PluginHost.wake`, or a
   * client who reads the job, has it asked before its time, but not within a second. Meanwhile no process claims the job, and
   * it has no place at a provider. It may take up to 10 seconds. After an error the submit follows.
   * @returns when to ask again at the latest, in milliseconds since the Unix epoch; `undefined` when nothing is awaited
   */
  readonly awaitsInput?: ((job: Job) => Promise<number | undefined> | undefined) | undefined
  /**
   * Makes the input for a submit: it replaces texts that the provider could not use. Called with a copy of the stored input, or with
   * a copy of what the plugin before has made of it. It may take up to 5 minutes. After an error the submit is tried again
   * later, until the deadline of the job.
   * @returns `undefined` when there is nothing to replace
   */
  readonly submitInput?: ((job: Job, input: JsonObject) => Promise<SubmitInput> | undefined) | undefined
  /**
   * The input for a provider that already has the task, and does not read the texts again. It gets a copy, and may take up to
   * 10 seconds. After an error: the stored input.
   */
  readonly taskInput?: ((input: JsonObject) => JsonObject | Promise<JsonObject>) | undefined
  /**
   * Checks the outputs of a task before they are stored or anybody can read them. A call may take 15 minutes. A call that
   * fails is repeated until the deadline of the job, and for a minute at least; then the job fails as `service_failed`. It
   * may be called again for outputs that it has checked.
   * @returns `undefined` when the outputs may be stored and read
   */
  readonly checkOutputs?:
    | ((job: Job, outputs: readonly Output[]) => Promise<OutputObjection | undefined>)
    | undefined
  /**
   * Changes the file of an output on its way into the file store, for example by adding a mark: an output that the provider
   * reports as bytes, and the copy of one that it keeps at a link. A file that stays at its provider is not changed. What the
   * service records of the file, such as its size, is of the changed one. Called again when the file has to be stored again, so
   * the same file should come out. After an error the file is stored without the change.
   * @returns the changes in the order in which they are made; `undefined` or none to store the file as it is
   */
  readonly changeOutput?: ((file: OutputFile) => readonly OutputChange[] | undefined) | undefined
  /**
   * Reads the file of an output on its way into the file store, as it is stored: after the changes of all plugins. Called again
   * when the file has to be stored again. After an error the file is stored all the same, and the job keeps no facts of it. One
   * plugin at most has it.
   * @returns `undefined` to read nothing of the file
   */
  readonly readOutput?: ((file: OutputFile) => OutputReading | undefined) | undefined
  /**
   * Deletes the files that the plugin keeps for a job, which has expired or was deleted. It may take up to 10 seconds, and may be
   * called again for the same job. After an error the job's row stays, and the deletion is tried again later.
   */
  readonly deleteFiles?: ((job: Job) => Promise<void>) | undefined
  /**
   * Sees each job that this process has written, after the store has recorded it. A write is missed if the process dies at
   * that moment. What the plugin does is not awaited.
   * @param before the job before this write. `undefined` for a new job
   */
  readonly wrote?: ((job: Job, before: Job | undefined) => unknown) | undefined
  /** Called when the service starts, for words to the operator. */
  readonly started?: (() => void) | undefined
  /** Sees each job that is read because a step or a delivery may be due. What the plugin does is not awaited. */
  readonly due?: ((job: Job) => unknown) | undefined
  /**
   * Whether the plugin has jobs taken up, by `PluginHost.takeUp`, and calls its `looks`. The service then has no sweep of its own.
   * @default false
   */
  readonly sweepsOnCall?: boolean | undefined
  /** Work that repeats while the service runs, such as deleting what has expired. */
  readonly sweep?: PluginSweep | undefined
  /** Rejects when the plugin can't work, with words for the operator. It may take 30 seconds. */
  readonly ready?: (() => Promise<void>) | undefined
  /** Resolves when nothing is under way that must end before the service closes. */
  readonly settled?: (() => Promise<void>) | undefined
  /** Frees what the plugin holds. Called once, when the service closes and no work is under way any more. */
  readonly close?: (() => Promise<void>) | undefined
  /** What the plugin adds to the /v1 interface. */
  readonly routes?: readonly PluginRoute[] | undefined
  /** What the plugin adds to the OpenAPI document of the interface, besides its routes. Called when a client asks for it. */
  readonly openapi?: (() => OpenapiParts) | undefined
  /** Takes callbacks of vendors. One plugin at most has it. */
  readonly vendorCallbacks?: VendorCallbacks | undefined
  /** Counts the files of owners. One plugin at most has it. */
  readonly fileRooms?: FileRooms | undefined
  /**
   * Functions that the app calls as methods of the service. No error of theirs is caught.
   * @example `usage` of the plugin `usage`, called as `service.usage({ from, to })`
   */
  readonly methods?: Methods | undefined
  /** What the plugin adds to the service's face, by which the /v1 interface serves it. */
  readonly face?: PluginFace | undefined
}

/** Fields that a plugin adds to the body of a create. */
export interface CreateFields {
  /** The name of each field in the body, such as `webhook_url`, by the name under which `webhookOf` gets its value. */
  readonly names: Readonly<Record<string, string>>
  /**
   * Checks what a client has sent in the fields. Not called when all of them are absent or `null`.
   * @returns the webhook that is stored with the job; `undefined` for none
   * @throws GenerationError to refuse the create
   */
  webhookOf(values: Readonly<Record<string, unknown>>): JobWebhook | undefined
}

/** Parts of an OpenAPI 3.1 document. */
export interface OpenapiParts {
  /** The schemas of the fields in `createFields`, by their names in the body. @default the document does not show them */
  readonly createFields?: Readonly<Record<string, object>> | undefined
  /** Schemas to which the operations of the plugin refer, by their names in `#/components/schemas`. @default none */
  readonly schemas?: Readonly<Record<string, object>> | undefined
  /** How routes with keys of their own are opened, by the names to which their operations refer in `security`. @default none */
  readonly securitySchemes?: Readonly<Record<string, object>> | undefined
  /** The path items of what the plugin sends to others, by its name. @default none */
  readonly webhooks?: Readonly<Record<string, object>> | undefined
}

/** A valid job that is about to be stored, or would be stored if the request were no dry run. */
export interface NewJob {
  /** The owner of the bearer token. */
  readonly owner: string
  /** The id of the bearer token. `undefined` when the app's `authenticate` gave none. */
  readonly keyId?: string | undefined
  /** The model of the job. */
  readonly model: Model
  /** A copy of the validated input, made at each read: a change of it changes nothing. */
  readonly input: JsonObject
  /**
   * The limit that the request itself sets: what the jobs of the key, or of the owner where the key has no id, may cost in 24
   * hours, in US dollars. A plugin that reserves what the job may cost goes by it, beside its own limits. `undefined` when the
   * request sets no limit.
   */
  readonly spendUsdPerDay?: number | undefined
  /**
   * Whether the client only wants to know whether the job would be accepted. Then no job follows: pay for nothing, count
   * nothing, and refuse what you would refuse otherwise.
   */
  readonly isDryRun: boolean
}

/** The place of a new job, which a plugin counts. */
export interface JobPlace {
  /** How many unfinished jobs the owner may have, by the job store, with this one. @default no limit */
  readonly maxUnfinished?: number | undefined
  /** What the job may cost. One plugin at most says it. @default nothing is reserved */
  readonly reservation?: Reservation | undefined
  /**
   * What is left of the budgets of the reservation with this job by what is known now, in US dollars: the answer to a dry run.
   * @default the answer says nothing about a budget
   */
  readonly remainingUsd?: number | undefined
  /** Called with the id of the job before it is inserted. From then on the store may count it. An error refuses the job. */
  readonly inserts?: ((jobId: string) => void) | undefined
  /** Called once, when the create is over, or the place came too late. @param isStored whether this create has stored the job */
  readonly leave?: ((isStored: boolean) => void) | undefined
}

/** What a job may cost, and the budgets into which it must fit. */
export interface Reservation {
  /** What is reserved for the job until its cost is known, in US dollars: at least 0. It becomes the job's `reservedUsd`. */
  readonly usd: number
  /** Into each of these the job must fit when it is stored. */
  readonly budgets: readonly SpendingBudget[]
  /**
   * Makes the error for a job that does not fit.
   * @param takenMicroUsd what is taken of each budget without the job, in millionths of a US dollar
   */
  readonly refusal: (takenMicroUsd: readonly number[]) => Error
  /** What is left of the budgets with the job, in US dollars. @param takenMicroUsd as for `refusal` */
  readonly leftUsd: (takenMicroUsd: readonly number[]) => number
}

/** A submit of a job for which something is reserved. */
export interface NextSubmit {
  /** The job, with its `reservedUsd`. */
  readonly job: Job
  /** Who gets the submit. */
  readonly provider: Provider
  /** What the provider gets. */
  readonly task: ProviderTask
  /** Whether an earlier submit may have been paid for, so that the vendor may now be paid twice. */
  readonly isRepeated: boolean
}

/** Work that repeats while the service runs. */
export interface PluginSweep {
  /** What it looks for, for the log, such as `expired uploads`. */
  readonly what: string
  /**
   * Looks once, for 30 seconds at most. Returns in how many milliseconds the next look follows: at least 10, at most a day;
   * after an error, 5 seconds.
   */
  readonly look: () => Promise<number>
}

/** What a plugin adds to the face of the service. Each part comes from one plugin at most. */
export interface PluginFace {
  /** Receives clients' files for the inputs of jobs. */
  readonly uploads?: Uploads | undefined
  /** Makes other forms of outputs. */
  readonly variants?: OutputVariants | undefined
  /** Counts a request of an owner: see `GenerationService.countRequest`. */
  readonly countRequest?: ((owner: string) => Promise<RequestQuota | undefined>) | undefined
}

/** How many requests an owner may still send. */
export interface RequestQuota {
  /** How many requests the owner may send in a minute. */
  readonly limit: number
  /** How many requests are left now. */
  readonly remaining: number
  /** In how many seconds the owner may send more requests, rounded up. 0 when all requests are left. */
  readonly moreInSeconds: number
  /** Whether this request exceeds the limit. */
  readonly isExceeded: boolean
}
