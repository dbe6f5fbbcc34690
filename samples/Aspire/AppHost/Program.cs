using Aspire.Hosting.ApplicationModel;

#region apphost
IDistributedApplicationBuilder builder = DistributedApplication.CreateBuilder(args);
IResourceBuilder<RabbitMQServerResource> messaging = builder.AddRabbitMQ("messaging"); // a container
builder.AddProject<Projects.Orders>("orders")
    .WithReference(messaging) // ConnectionStrings__messaging=amqp://…
    .WaitFor(messaging)
    .WithHttpEndpoint()
    .WithHttpHealthCheck("/health");
builder.Build().Run();
#endregion
