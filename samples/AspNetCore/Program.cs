using Shop;

// Servers and clients in one process, over loopback: what docs/aspnetcore.md shows.
await FirstProgram.RunAsync();
await Endpoints.RunAsync();
await Hubs.RunAsync();
await Caching.RunAsync();
