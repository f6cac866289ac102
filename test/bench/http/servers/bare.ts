import { createJob } from './hand-written.ts'
import { serveBare } from './serve-bare.ts'

serveBare({ createJob })
