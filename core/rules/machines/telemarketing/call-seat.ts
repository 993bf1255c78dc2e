import { machine } from '../machine.ts'

/** What an agent at the phone is doing. */
export const callSeat = machine({
  id: 'M84',
  name: 'call_seat',
  title: "Agent's seat at the phone",
  table: 'call_seat',
  key: 'seat_no',
  status: 'seat_status',
  dict: 'AGENT_STATUS',
  states: {
    idle: { tone: 'good' },
    ringing: { tone: 'progress' },
    talking: { tone: 'progress' },
    wrap_up: { tone: 'attention' },
    pause: { tone: 'wait' },
    offline: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'seat.signIn', to: 'idle', perm: 'call:agent' },
    { from: ['idle'], event: 'seat.pause', to: 'pause', perm: 'call:agent' },
    { from: ['pause'], event: 'seat.ready', to: 'idle', perm: 'call:agent' },
    { from: ['idle'], event: 'call.click', to: 'ringing', perm: 'call:agent' },
    { from: ['idle'], event: 'call.offer', to: 'ringing', perm: 'system' },
    { from: ['ringing'], event: 'call.answered', to: 'talking', perm: 'system' },
    { from: ['ringing', 'talking'], event: 'call.ended', to: 'wrap_up', as: 'answered', perm: 'system' },
    { from: ['ringing'], event: 'call.ended', to: 'idle', as: 'missed', perm: 'system' },
    { from: ['ringing'], event: 'call.fail', to: 'idle', perm: 'system' },
    { from: ['wrap_up'], event: 'follow.saved', to: 'idle' },
    { from: ['wrap_up'], event: 'clock.wrapUp', to: 'pause', perm: 'system' },
    {
      from: ['idle', 'ringing', 'talking', 'wrap_up', 'pause'],
      event: 'seat.signOut',
      to: 'offline',
      as: 'own',
      perm: 'call:agent',
    },
    {
      from: ['idle', 'ringing', 'talking', 'wrap_up', 'pause'],
      event: 'seat.signOut',
      to: 'offline',
      as: 'supervisor',
      perm: 'call:seat:manage',
    },
    {
      from: ['idle', 'ringing', 'talking', 'wrap_up', 'pause'],
      event: 'seat.signOut',
      to: 'offline',
      as: 'system',
      perm: 'system',
    },
  ],
})
