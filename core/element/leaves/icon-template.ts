import { svg } from 'lit'
import { type IconName, iconPaths } from './icon-paths.ts'

/** A line drawing for Lit templates. */
export const iconTemplate = (name: IconName, size = 16) => svg`
  <svg width=${size} height=${size} viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d=${iconPaths[name]}></path></svg>`
