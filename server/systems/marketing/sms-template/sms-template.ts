import { serveListed } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import { templateCommands } from './template-commands.ts'
import { templateReads, templates } from './template-list.ts'

/** Texts that marketing sends to many customers: written by one person, put in force by another. */
export const smsTemplateModule = (): Module => ({
  served: [serveListed(templates), ...templateReads, ...templateCommands],
  lists: [templates],
})
