using Buses;
using Buses.Bookshop;

// One message through three service buses, without a broker; each handler gets the type that was sent.
await OnMassTransit.Run();
await OnRebus.Run();
await OnWolverine.Run();

// The service that docs/rabbitmq-coming-from.md compares.
await BookshopOnMassTransit.Run();
await BookshopOnRebus.Run();
