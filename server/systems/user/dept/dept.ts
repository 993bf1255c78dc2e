import { serveListed } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import { moveServed } from './dept-move.ts'
import { deptReads, depts } from './dept-reads.ts'
import { save } from './dept-save.ts'

/** Departments: the tree that data rules and allocation hang on. */
export const deptModule = (): Module => ({
  served: [serveListed(depts), ...deptReads, save, ...moveServed],
  lists: [depts],
})
