import { machine } from '../machine.ts'

/** What a partner's page shows elements with, for one person and a quarter of an hour. */
export const embedToken = machine({
  id: 'M03',
  name: 'embed_token',
  title: 'Token that a partner page gives to its elements',
  table: 'embed_token',
  key: 'embed_token_no',
  status: 'embed_token_status',
  dict: 'EMBED_TOKEN_STATUS',
  states: {
    active: { tone: 'good' },
    rotated: { tone: 'ended', terminal: true },
    expired: { tone: 'ended', terminal: true },
    revoked: { tone: 'bad', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'embed.mint', to: 'active', perm: 'embed:mint' },
    { from: ['active'], event: 'api.call', to: '=' },
    { from: ['active'], event: 'embed.refresh', to: 'rotated' },
    { from: ['active'], event: 'embed.revoke', to: 'revoked', perm: 'embed:revoke' },
    { from: ['active'], event: 'clock.ttl', to: 'expired', perm: 'system' },
  ],
})
