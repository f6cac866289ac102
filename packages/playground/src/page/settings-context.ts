import { createContext } from 'preact'
import type { Settings } from './settings.ts'

/** What the host has told the page, for all components. */
export const SettingsContext = createContext<Settings>({
  baseUrl: '',
  publicKey: undefined,
  canStartWithoutKey: false,
})
