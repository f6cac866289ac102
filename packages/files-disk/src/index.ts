export { diskFiles, type DiskFilesOptions } from './store/disk-files.ts'
