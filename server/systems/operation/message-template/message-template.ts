import { serveListed } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import { templateCommands } from './template-commands.ts'
import { templateReads, templates } from './template-list.ts'

/** Texts of business nodes. */
export const messageTemplateModule = (): Module => ({
  served: [serveListed(templates), ...templateReads, ...templateCommands],
  lists: [templates],
})
