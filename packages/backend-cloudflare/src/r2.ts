export type {
  R2BucketBinding,
  R2Checksums,
  R2Hashes,
  R2HttpMetadata,
  R2ListedObject,
  R2ListedObjects,
  R2ObjectContent,
  R2ObjectHead,
  R2ObjectMetadata,
  R2Upload,
  R2UploadedPart,
} from './r2/bucket-binding.ts'
export { r2Files, type R2FilesOptions } from './r2/r2-files.ts'
