import { machine } from '../machine.ts'

/** What a customer may ask of us under the Data Protection and Privacy Act. */
export const privacyRequest = machine({
  id: 'M81',
  name: 'privacy_request',
  title: 'Request of a person about their data',
  table: 'privacy_request',
  key: 'privacy_request_no',
  status: 'privacy_status',
  dict: 'PRIVACY_REQUEST_STATUS',
  states: {
    received: { tone: 'wait' },
    verified: { tone: 'progress' },
    fulfilled: { tone: 'good', terminal: true },
    refused: { tone: 'bad', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'dsr.create', to: 'received', perm: 'cs:privacy:handle' },
    { from: ['received'], event: 'dsr.verify', to: 'verified', perm: 'cs:privacy:handle' },
    { from: ['verified'], event: 'dsr.fulfil', to: 'fulfilled', perm: 'cs:privacy:handle' },
    { from: ['received', 'verified'], event: 'dsr.refuse', to: 'refused', perm: 'cs:privacy:handle' },
  ],
})
