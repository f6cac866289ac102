export { jsonIn } from './client/json-in.ts'
export { answerFiles, type AnswerFiles, listedFiles } from './answers/answer-files.ts'
export { type AnsweredFile } from './answers/answered-file.ts'
export { fileEndings } from './answers/file-fields.ts'
export { partWith } from './answers/part-with.ts'
export { nounOf } from './answers/files-report.ts'
export { type LinkProof, provenFiles } from './answers/proven-files.ts'
export { isTaskId } from './answers/is-task-id.ts'
export { numberIn } from './answers/number-in.ts'
export { failureBy, isModeration, vendorReason, type VendorReason } from './answers/vendor-reason.ts'
export { recordOf } from './client/record-of.ts'
export { RedirectError } from './client/redirect-error.ts'
export { scrubbedFault } from './client/scrubbed-fault.ts'
export { scrubber, type Scrub } from './client/scrubber.ts'
export { type VendorAnswer, vendorAnswer } from './client/vendor-answer.ts'
export { AnswerTooLargeError, vendorClient, type VendorClient } from './client/vendor-client.ts'
export { failed, type ReportOf, unknownNow, type VendorWords } from './client/vendor-failure.ts'
export { vendorFetch } from './client/vendor-fetch.ts'
export { checkToken, type HostedChecks, type HostedOptions, hostedOptions } from './options/hosted-options.ts'
export {
  type ModelOffer,
  type ModelOptions,
  modelOptions,
  type OfferedModels,
  offerModels,
} from './options/offer-models.ts'
export { type CountedJob, shownUsagePrice, type TokenPrices, usagePricer } from './options/usage-pricer.ts'
export { callbackNews } from './webhook/callback-news.ts'
export { checkWebhookAge } from './webhook/check-webhook-age.ts'
export { hexBytes } from './webhook/hex-bytes.ts'
export { webhookJson } from './webhook/webhook-json.ts'
export { webhookClock, type WebhookClock } from './webhook/webhook-clock.ts'
export { closedInput, onlyWith, onlyWithout, requiredUnless } from './fields/closed-input.ts'
export { field } from './fields/field.ts'
export { type FieldLimits, type FieldRange } from './fields/field-limits.ts'
export { fixedParameters } from './fields/fixed-parameters.ts'
export { definedFields } from './fields/defined-fields.ts'
export { modelInput } from './fields/model-input.ts'
export { type OpenFieldName, openFieldNames, type OpenFields } from './fields/open-fields.ts'
export { type OpenModel, openModel, type OpenModelOptions, openModelOptions } from './fields/open-model.ts'
export {
  checkOwnInputs,
  type FieldIssue,
  type FieldPathSegment,
  type FieldSchema,
  type FieldVerdict,
  ownFields,
  type OwnInputs,
} from './fields/own-inputs.ts'
export {
  type AllowedOptions,
  checkAllowedOptions,
  type ProviderOptionsAllowance,
  type ProviderOptionsRule,
} from './fields/provider-options.ts'
export { type SizeGrid, sizeOfRatio } from './fields/size-of-ratio.ts'
export { type VendorFields, vendorInput, withoutFixed } from './fields/vendor-fields.ts'
export { type PictureRules } from './pictures/picture-field.ts'
export { type PictureType } from './pictures/picture-uri.ts'
export { type Picture, PictureError, pictureFailure } from './pictures/read-picture.ts'
export { pictureRefusal, type PictureReading, withPictures } from './pictures/with-pictures.ts'
