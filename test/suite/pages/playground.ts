import { sharedPages } from './shared-pages.ts'

export const page = () => sharedPages.playground
