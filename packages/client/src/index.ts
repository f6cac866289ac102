export { createClient } from './client/create-client.ts'
export type { Client, OutputFile } from './client/client.ts'
export type {
  CallOptions,
  ClientOptions,
  CreateOptions,
  DownloadOptions,
  EstimateOptions,
  GenerateOptions,
  GenerationProgress,
  UploadOptions,
  WaitOptions,
} from './client/client-options.ts'
export type {
  ClientErrorCode,
  GenmountErrorCode,
  JobFailureCode,
  ServiceErrorCode,
} from './errors/error-code.ts'
export { GenmountError, type ErrorDetails } from './errors/genmount-error.ts'
export { jobUrl, type OutputReference, readJobUrl } from './files/job-url.ts'
export { takesNoUploads } from './files/takes-no-uploads.ts'
export { toBase64 } from './files/to-base64.ts'
export type { AnyModels, CreateFields, CreateInput, ModelId, NamedModel } from './wire/create-input.ts'
export type { Estimate } from './wire/estimate.ts'
export type { Job, JobFilter, JobPage, JobReference, JobStatus } from './wire/job.ts'
export type { Model, ModelPrice, OutputKind } from './wire/model.ts'
export type { Upload } from './wire/upload.ts'
export type { Usage, UsageFilter, UsageRow, UsageSums } from './wire/usage.ts'
