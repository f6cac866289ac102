// @module-tag needs/linux
import { testLargeUploads } from './large-uploads.ts'

testLargeUploads(150, ['node', 'bun', 'deno'])
