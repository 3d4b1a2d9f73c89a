// Starts the page.

import { createApp } from './app.js';
import { byId } from './dom.js';

createApp(byId('app'), byId('line'));
