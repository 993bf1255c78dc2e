import { can, type Machine } from '../../rules/machines/machine.ts'

/** Whether a version is on its way to a second person, or comes back from one: an item has one of them at most. */
export const isOpenVersion = (machine: Machine, status: string): boolean =>
  can(machine, status, 'version.save') || can(machine, status, 'version.approve')
