/** Names the build: release and content. */
export const version = process.env.MKOPO_VERSION ?? 'dev'
