import net from 'node:net'

const commit = Buffer.from('commit\0')

type Cut = { seen: string; where: 'before' | 'after' }

/** Stands between the server and PostgreSQL and cuts a connection in the middle of a commit, on command. */
export const openProxy = async (to: number) => {
  let cut: Cut | undefined
  let cuts = 0
  const server = net.createServer(client => {
    const database = net.connect(to, '127.0.0.1')
    let isMeant = false
    let isMuted = false
    const end = () => {
      client.destroy()
      database.destroy()
    }
    client.on('data', chunk => {
      isMeant ||= cut !== undefined && chunk.includes(cut.seen)
      if (!cut || !isMeant || !chunk.includes(commit)) {
        database.write(chunk)
        return
      }
      if (cut.where === 'before') end()
      else {
        isMuted = true
        database.write(chunk)
      }
      cut = undefined
      cuts++
    })
    database.on('data', chunk => {
      if (isMuted) end()
      else client.write(chunk)
    })
    for (const socket of [client, database]) socket.on('error', end).on('close', end)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as net.AddressInfo).port,
    /** In the transaction that speaks of `seen`, the commit does not arrive, or its answer does not. */
    cutAt: (wanted: Cut) => {
      cut = wanted
    },
    cuts: () => cuts,
    close: () => server.close(),
  }
}
export type CuttingProxy = Awaited<ReturnType<typeof openProxy>>
