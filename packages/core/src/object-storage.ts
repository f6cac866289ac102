export { keyOf, objectName } from './object-storage/object-name.ts'
export { type MultipartUpload, type ObjectTarget, storeInParts } from './object-storage/store-in-parts.ts'
