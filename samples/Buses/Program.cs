using Buses;

// One message through three service buses, without a broker; each handler gets the type that was sent.
await OnMassTransit.Run();
await OnRebus.Run();
await OnWolverine.Run();
