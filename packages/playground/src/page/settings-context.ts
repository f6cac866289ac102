import { createContext } from 'preact'
import type { Settings } from './settings.ts'

/** The settings that the host has written into the page, for all components. */
export const SettingsContext = createContext<Settings>({
  baseUrl: '',
  publicKey: undefined,
  canStartWithoutKey: false,
  hasOutputFacts: false,
})
