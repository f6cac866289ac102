export type {
  R2BucketBinding,
  R2ListedObjects,
  R2ObjectHead,
  R2ObjectMetadata,
  R2Upload,
} from './r2/bucket-binding.ts'
export { r2Files, type R2FilesOptions } from './r2/r2-files.ts'
