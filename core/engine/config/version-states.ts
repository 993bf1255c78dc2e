import { can, type Machine } from '../../rules/machines/machine.ts'

/** Whether a version is open: drafted, submitted or sent back. An item has one such version at most. */
export const isOpenVersion = (machine: Machine, status: string): boolean =>
  can(machine, status, 'version.save') || can(machine, status, 'version.approve')
