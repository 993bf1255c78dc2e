import { machine } from '../machine.ts'

/** A call of an agent, of a robot or to the hotline. */
export const call = machine({
  id: 'M83',
  name: 'call',
  title: 'Telephone call',
  table: 'call_record',
  key: 'call_no',
  status: 'call_status',
  dict: 'CALL_STATUS',
  states: {
    dialing: { tone: 'wait' },
    ringing: { tone: 'progress' },
    talking: { tone: 'good' },
    held: { tone: 'attention' },
    ended: { tone: 'ended', terminal: true },
    failed: { tone: 'bad', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'call.click', to: 'dialing', perm: 'call:agent' },
    { from: ['∅'], event: 'call.robot', to: 'dialing', perm: 'system' },
    { from: ['∅'], event: 'call.incoming', to: 'ringing', perm: 'system' },
    { from: ['dialing'], event: 'call.ringing', to: 'ringing', perm: 'system' },
    { from: ['dialing', 'ringing'], event: 'call.answered', to: 'talking', perm: 'system' },
    { from: ['talking'], event: 'call.hold', to: 'held', perm: 'call:agent' },
    { from: ['held'], event: 'call.unhold', to: 'talking', perm: 'call:agent' },
    { from: ['talking', 'held'], event: 'call.transfer', to: '=', perm: 'call:agent' },
    { from: ['dialing', 'ringing', 'talking', 'held'], event: 'call.ended', to: 'ended', perm: 'system' },
    { from: ['dialing'], event: 'call.fail', to: 'failed', perm: 'system' },
    { from: ['dialing', 'ringing', 'talking', 'held'], event: 'call.lost', to: 'ended', perm: 'system' },
  ],
})
