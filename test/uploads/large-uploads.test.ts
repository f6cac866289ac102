// @module-tag needs/linux
import { testLargeUploads } from './large-uploads.ts'

// The deep suite has films of 150 MB on each runtime.
testLargeUploads(75, ['node'])
