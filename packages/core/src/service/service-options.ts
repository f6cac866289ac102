import { checkBackend, checkClock, checkFileStore, checkLog } from '../contracts/check-contract.ts'
import { callable, choice, count, duration, optional } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'
import { checkPlugins } from '../plugins/attached-plugins.ts'
import { checkAliasTable, checkProviders } from '../routing/model-catalogue.ts'
import type { CloseOptions } from './generation-service.ts'
import type { GenerationServiceOptions } from './generation-service-options.ts'

const table = {
  providers: checkProviders,
  aliases: optional(checkAliasTable, {}),
  backend: optional(checkBackend),
  files: optional(checkFileStore),
  spool: optional(checkFileStore),
  maxHeldBytes: optional(count(0), 256 * 1024 * 1024),
  keepOutputs: optional(choice('mirror', 'redirect')),
  maxOutputBytes: optional(count(), 2 ** 31),
  retentionDays: optional(count(1, 3650), 7),
  deadlineMs: optional(count(), 30 * 60_000),
  waitBudgetMs: optional(duration(0), 55_000),
  maxWaiters: optional(count(0), 10_000),
  maxWaitersPerOwner: optional(count(0)),
  onAmbiguousSubmit: optional(choice('fail', 'resubmit'), 'fail'),
  admit: optional(callable<NonNullable<GenerationServiceOptions['admit']>>()),
  maxRunningJobsPerOwner: optional(count(), 1000),
  onJobEnd: optional(callable<NonNullable<GenerationServiceOptions['onJobEnd']>>()),
  onTransition: optional(callable<NonNullable<GenerationServiceOptions['onTransition']>>()),
  plugins: optional(checkPlugins, []),
  clock: optional(checkClock),
  log: optional(checkLog),
} satisfies OptionTable<GenerationServiceOptions>

/** The checked options, with the defaults filled in. */
export type CheckedServiceOptions = ReturnType<typeof checkServiceOptions>

/** Checks the options of a service. @throws TypeError that names the option */
export function checkServiceOptions(options: GenerationServiceOptions) {
  return checkOptions('createGenerationService', options, table)
}

const closeTable = { timeoutMs: optional(duration(0)) } satisfies OptionTable<CloseOptions>

/** Checks the options of a service's `close`. @throws TypeError that names the option */
export function checkCloseOptions(options: CloseOptions | undefined) {
  return checkOptions('close', options, closeTable)
}
