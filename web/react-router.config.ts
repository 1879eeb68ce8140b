import type { Config } from '@react-router/dev/config';
import { compressFolder } from './compress-folder.ts';

export default {
  ssr: true,
  // All routes are few; knowing them from the first page saves a request before every navigation.
  routeDiscovery: { mode: 'initial' },
  // 'enforce' in builds only: it breaks the development server.
  splitRouteModules: process.argv.includes('build') ? 'enforce' : false,
  buildEnd: ({ reactRouterConfig }) => compressFolder(`${reactRouterConfig.buildDirectory}/client`),
} satisfies Config;
