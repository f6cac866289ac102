export { freeMemory } from './bytes/gathered-bytes.ts'
export { shareOfHeap } from './bytes/share-of-heap.ts'
export { gatheredBytes, type GatheredBytes, type GatheringOptions } from './bytes/gathered-bytes.ts'
export {
  type CallbackAddress,
  type CallbackMethods,
  accountCallbackPath,
  callbackPath,
  type VendorCallbacks,
} from './contracts/plugin/callbacks.ts'
export type { Backend, Processes } from './contracts/storage/backend.ts'
export type { Clock } from './contracts/clock.ts'
export type {
  ByteRange,
  FetchLimits,
  FileDetails,
  FileFetch,
  FileStore,
  StoredFile,
} from './contracts/storage/file-store.ts'
export type { CostEntry, CostQuery } from './contracts/storage/cost-entry.ts'
export type {
  UsageCounts,
  UsageGroup,
  UsageGrouping,
  UsageQuery,
  UsageRow,
} from './contracts/storage/daily-usage.ts'
export type {
  Job,
  JobClaim,
  JobInputs,
  JobOrder,
  JobOutput,
  JobPhase,
  JobState,
  JobTransition,
  Setback,
} from './contracts/job.ts'
export type { AuditEntry, AuditQuery } from './contracts/storage/audit-entry.ts'
export type {
  AllJobsQuery,
  InsertOutcome,
  JobQuery,
  JobStore,
  SpendingBudget,
  SpendingSpan,
  SpendingSums,
  Grant,
  GrantQuery,
  OverBudget,
} from './contracts/storage/job-store.ts'
export type { UploadNote } from './contracts/storage/upload-note.ts'
export type { JobNews, JobPreview } from './contracts/provider-report.ts'
export type { JobSignals, NewsSignals } from './contracts/storage/job-signals.ts'
export type { Json, JsonObject } from './contracts/json.ts'
export type { CallbackNews, CallbackRequest } from './contracts/callback-request.ts'
export type {
  Model,
  ModelEnd,
  ModelPrice,
  OutputKind,
  Provider,
  ProviderCall,
  RunningTask,
} from './contracts/provider.ts'
export type { ListedTask, ProviderTask } from './contracts/provider-task.ts'
export type {
  FinalReport,
  FurtherSubmit,
  Output,
  ProviderReport,
  RunningReport,
  TaskTokens,
} from './contracts/provider-report.ts'
export type { Log, LogFields } from './contracts/log.ts'
export type { DeliveryAttempt, JobWebhook, WebhookEvent } from './contracts/job-webhook.ts'
export type { DeliveryAnswer, WebhookDelivery, WebhookSender } from './contracts/plugin/webhooks.ts'
export type { Ending } from './contracts/ending.ts'
export type { FilePlace, FileRoom, FileRooms } from './contracts/plugin/file-rooms.ts'
export type {
  KeyHolder,
  PluginReply,
  PluginRequest,
  PluginRoute,
  RouteKeys,
} from './contracts/plugin/plugin-route.ts'
export type { RequestQuota } from './contracts/plugin/service-plugin.ts'
export type { PluginHost, TaskHolder } from './contracts/plugin/plugin-host.ts'
export type { ServiceActions } from './contracts/plugin/service-actions.ts'
export type {
  OutputChange,
  OutputFile,
  OutputObjection,
  OutputReading,
} from './contracts/plugin/output-change.ts'
export type { OutputVariants } from './contracts/plugin/output-variants.ts'
export type {
  CreateFields,
  JobPlace,
  MethodsOf,
  NewJob,
  NextSubmit,
  OpenapiParts,
  PluginFace,
  PluginHooks,
  PluginSweep,
  Reservation,
  ServicePlugin,
} from './contracts/plugin/service-plugin.ts'
export type { ResolvedInput, SubmitInput } from './contracts/plugin/plugin-inputs.ts'
export type { Upload, Uploads } from './contracts/plugin/uploads.ts'
export type { WatchedStore } from './contracts/storage/job-store.ts'
export type { Scheduler } from './contracts/storage/scheduler.ts'
export { memoryBackend, type MemoryBackendOptions } from './defaults/memory-backend.ts'
export { memoryFileStore, type MemoryFileStoreOptions } from './defaults/memory-file-store.ts'
export { memorySignals } from './defaults/memory-signals.ts'
export { systemClock } from './defaults/system-clock.ts'
export { schedulerFor, timerScheduler } from './defaults/timer-scheduler.ts'
export { checkClock, checkFileFetch, checkLog, checkModelEnd } from './contracts/check-contract.ts'
export {
  accepts,
  callable,
  type Check,
  checkBaseUrl,
  checkMountUrl,
  choice,
  contract,
  count,
  duration,
  flag,
  type FunctionsOf,
  isInstant,
  listOf,
  longestTimerMs,
  optional,
  text,
} from './errors/check-option.ts'
export { nearestName, slipsBetween } from './errors/check-options.ts'
export { type CheckedOptions, checkObject, checkOptions, type OptionTable } from './errors/check-options.ts'
export { providerFailures, type JobFailure, type ProviderFailure } from './errors/error-codes.ts'
export { errorCodes, type ErrorAnswer, type ErrorCode } from './errors/error-codes.ts'
export { filesUnavailable } from './errors/generation-error.ts'
export { GenerationError, type GenerationErrorOptions } from './errors/generation-error.ts'
export { fairQueue, type FairQueue } from './sharing/lane.ts'
export { createGenerationService } from './service/create-generation-service.ts'
export {
  cursorParameter,
  limitTo,
  oneOf,
  type QueryParameter,
  type QueryValues,
  readQuery,
  refuseParameter,
} from './input/read-query.ts'
export { checkMetadata } from './input/validate-input.ts'
export { malformedJob } from './errors/generation-error.ts'
export { costEntryOf } from './ledger/cost-entry-of.ts'
export { taskIdOf } from './job/task-id.ts'
export {
  dayMs,
  noUsage,
  pickedGroup,
  usageCountsOf,
  usageGroupings,
  wholeDays,
} from './ledger/usage-counts.ts'
export { fromStoredJob, type StoredJob, toStoredJob } from './job/stored-job.ts'
export { checkInstants } from './job/instants.ts'
export { grantWords, isGrantAmount, microUsdOf } from './pricing/micro-usd.ts'
export { type BudgetRoom, budgetRoom } from './ledger/budget-room.ts'
export { reservedMicroUsdOf } from './ledger/cost-entry-of.ts'
export { storedBytesOf } from './ledger/cost-entry-of.ts'
export { isFinished, isShownInputKept, isInputKept, longestPauseMs } from './job/job-state.ts'
export {
  routeModel,
  type RoutedModel,
  type RouteModelOptions,
  type RouteOptions,
} from './routing/route-model.ts'
export { endOf, hasEnded, type ModelEnds } from './routing/model-end.ts'
export type { ModelRoute } from './routing/routes.ts'
export {
  byWeight,
  cheapestFirst,
  fastestFirst,
  type RouteChoice,
  type RoutedOrder,
  type RouteOffer,
  type RouteOrder,
} from './routing/route-order.ts'
export { checkPrice, checkPriceOrUnknown, costOf, type Price, type PricedTask } from './pricing/price.ts'
export { shownPrice } from './pricing/price.ts'
export { frozen } from './text/json-values.ts'
export { type JsonFault, jsonTextCheck, maxBytesPerJsonValue, maxJsonDepth } from './text/json-text-check.ts'
export { instantIn, instantText, monthBegin } from './text/instant-text.ts'
export { judgedBytes, mediaTypeOf } from './text/media-type.ts'
export { servedFile, type ServedFile } from './text/media-kinds.ts'
export { outputName } from './text/output-name.ts'
export { sha256Hex } from './text/sha256-hex.ts'
export { masked } from './text/short-text.ts'
export { inputPath } from './contracts/plugin/uploads.ts'
export { redirectTarget } from './addresses/output-url.ts'
export { newsIn, newsText } from './sharing/news-in.ts'
export { fromBase64, isBase64, toBase64 } from './text/base64.ts'
export { fromBase64Url, toBase64Url } from './text/base64-url.ts'
export { cursorOf, placeOf } from './text/place-cursor.ts'
export { outputUrlFault } from './addresses/output-url.ts'
export { withinLimit } from './pacing/within-limit.ts'
export { waitingPlaces, type WaitingPlaces, type WaitingPlacesContext } from './sharing/waiting-room.ts'
export { sharedRoom, type SharedRoom } from './sharing/shared-room.ts'
export type {
  CloseOptions,
  CloseResult,
  GenerationService,
  WaitOptions,
} from './service/generation-service.ts'
export type { JobEstimate } from './requests/job-estimator.ts'
export { retryRefusal } from './requests/change-job.ts'
export { checkKeyId } from './requests/job-request.ts'
export type { IdempotencyRequest, JobRequest } from './requests/job-request.ts'
export type { GenerationServiceOptions } from './service/generation-service-options.ts'
export type { JobListRequest } from './requests/list-jobs.ts'
export { type JobPage, pageOfJobs, type PageRequest } from './requests/page-of-jobs.ts'
export type { JobWatcher } from './requests/watch-job.ts'
export type { ProviderHealth, ServiceHealth } from './contracts/plugin/service-health.ts'
