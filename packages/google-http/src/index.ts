export { googleWords, isPolicyRefusal, refusedPoll, refusedSubmit } from './answers/google-failure.ts'
export { objectIn } from './answers/object-in.ts'
export {
  type ModalityTokens,
  type OutputTokens,
  outputTokens,
  type OutputUsage,
} from './answers/output-tokens.ts'
export {
  googleCallTimeoutMs,
  type GoogleClient,
  googleClient,
  googleModelName,
  type GoogleOptions,
  googleOptions,
  type TaskFetching,
} from './client/google-client.ts'
export {
  type GoogleModelEntry,
  type GoogleModelKind,
  type GoogleModelOptions,
  googleModels,
} from './client/google-models.ts'
export { type EncodedFile, googleFilms, googlePictures, withEncodedFiles } from './files/encoded-files.ts'
export { filmsIn, filmsReport, type FinishedFilms } from './files/film-files.ts'
export { type GoogleFile, googleFile } from './files/google-file.ts'
