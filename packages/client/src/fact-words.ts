export { factWords } from './facts/fact-words.ts'
export type { OutputFacts } from './wire/output.ts'
