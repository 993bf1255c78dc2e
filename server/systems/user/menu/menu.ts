import type { Module } from '../../../module.ts'
import { menuCommands } from './menu-commands.ts'
import { menuReads } from './menu-reads.ts'
import { saveServed } from './menu-save.ts'

/** The menu: entries, their order, words and data rules, and where they differ from the program. */
export const menuModule = (): Module => ({ served: [...menuReads, ...saveServed, ...menuCommands] })
