-- One batch of operations of one sender: done in order, each by itself, once.
--
-- KEYS[1]: where the sender's last answer is kept; its hash tag is that of all keys of the batch where there is a
-- cluster. KEYS[2]: a key that never is there: while a cluster moves the slot to another node, and has some of its keys
-- here and some there, a call that names a missing one is refused whole, to be sent again. ARGV: prefix of all keys,
-- number of the batch, the batch (MessagePack): {now (ms; false: this server's clock), boot id of the node, whether hints
-- go by sharded channels, whether the answer is kept, operations}. An operation is {name, tag, ...}; the answer is a list
-- with the result of each, {err = ...} for one that failed. The bounds of the contract (MAX_STEP, DEAD, PAIRING,
-- MAX_ENTRIES) stand before all this: scripts.py writes them.

local TOKEN_SECONDS = 86400
local prefix, seq = ARGV[1], tonumber(ARGV[2])
local batch = cmsgpack.unpack(ARGV[3])
local now, boot, sharded, keep, ops = batch[1], batch[2], batch[3], batch[4], batch[5]
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local roots, plays, stamps = {}, {}, {}

-- What the keys of a tag begin with.
local function root(tag)
  local found = roots[tag]
  if not found then
    found = prefix .. ':{' .. tag .. '}:'
    roots[tag] = found
  end
  return found
end

-- Moves the play time of a tag on, once a batch, and returns it: by the time since the last call, by 0 where that is
-- negative or more than MAX_STEP. It is the first write of a script, so that a server that takes none refuses here.
local function play_of(tag)
  local play = plays[tag]
  if play then
    return play
  end
  local key = root(tag) .. 'clock'
  local was = redis.call('GET', key)
  play = 0
  if was then
    local before, last = string.match(was, '^(%d+) (-?%d+)$')
    play = tonumber(before)
    local step = now - tonumber(last)
    if step > 0 and step <= MAX_STEP then
      play = play + step
    end
  end
  redis.call('SET', key, string.format('%.0f %.0f', play, now))
  plays[tag] = play
  return play
end

-- The play time as each entry of a log begins with it: six bytes.
local function stamp_of(tag)
  local stamp = stamps[tag]
  if not stamp then
    stamp = struct.pack('>I6', play_of(tag))
    stamps[tag] = stamp
  end
  return stamp
end

-- DO: what an operation does; what it returns is kept for a batch that is sent again. AFTER: what is read for its
-- answer once all is done, anew each time.
local DO, AFTER = {}, {}
local at_end = {}
