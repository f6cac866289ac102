-- wrk's part: args are the API key, the body ('' for GET) and the paths that are asked for in turn.
local requests = {}
local at = 0

function init(args)
  local headers = { ["authorization"] = "Bearer " .. args[1], ["content-type"] = "application/json" }
  local body = args[2]
  for i = 3, #args do
    if body == "" then
      requests[#requests + 1] = wrk.format("GET", args[i], headers)
    else
      requests[#requests + 1] = wrk.format("POST", args[i], headers, body)
    end
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary)
  local e = summary.errors
  print(string.format('{"requests":%d,"seconds":%.6f,"failures":%d}', summary.requests, summary.duration / 1e6,
    e.connect + e.read + e.write + e.status + e.timeout))
end
