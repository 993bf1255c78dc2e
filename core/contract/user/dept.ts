import { z } from 'zod'
import { noun, read } from '../endpoint.ts'
import { field } from '../fields.ts'

const Node = z.object({
  deptNo: field.key(),
  deptName: field.text(),
  parentNo: field.key().nullable(),
  /** People here, and with those of all departments below; frozen and left ones are not counted. */
  userCount: field.int(),
  userCountBelow: field.int(),
})
export type DeptNode = z.output<typeof Node>

/** Departments, in the tree that data rules and allocation hang on. */
export const dept = noun('user/dept', {
  /** From the top down, each before those below it. */
  tree: read('/dept/tree', { perm: 'user:page', input: {}, output: z.object({ list: z.array(Node) }) }),
})
