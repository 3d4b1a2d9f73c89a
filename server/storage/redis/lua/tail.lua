
-- A server that takes no write says so at the first one: nothing was done, and the whole batch is to be sent again.
local AWAY = { OOM = true, READONLY = true, NOREPLICAS = true, MISCONF = true }

local results
local said = redis.call('GET', KEYS[1])
if said then
  local last = cmsgpack.unpack(said)
  if last[1] == seq then
    results = last[2]
  elseif last[1] > seq then
    return redis.error_reply('STALE this batch was sent again and answered long ago')
  end
end

if not results then
  results = {}
  for i, op in ipairs(ops) do
    local ok, result = pcall(DO[op[1]], op)
    if not ok then
      local text = type(result) == 'table' and result.err or tostring(result)
      if AWAY[string.match(text, '^%u+')] then
        return redis.error_reply(text)
      end
      result = { err = text }
    end
    results[i] = result
  end
  for _, finish in ipairs(at_end) do
    pcall(finish)
  end
  if keep then
    redis.call('SET', KEYS[1], cmsgpack.pack({ seq, results }), 'EX', TOKEN_SECONDS)
  end
end

for i, op in ipairs(ops) do
  local after = AFTER[op[1]]
  if after then
    local ok, result = pcall(after, op, results[i])
    if not ok then
      result = { err = type(result) == 'table' and result.err or tostring(result) }
    end
    results[i] = result
  end
end
return cmsgpack.pack(results)
