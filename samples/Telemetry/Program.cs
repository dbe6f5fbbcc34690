using Depot;
#region usings
using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;
#endregion
using Shop;

// Something to look at with docs/dashboards/wire-rabbitmq.json: traffic of all kinds, some of which fails, until Ctrl+C.
using var stop = new CancellationTokenSource();
Console.CancelKeyPress += (_, pressed) =>
{
    pressed.Cancel = true;
    stop.Cancel();
};
try
{
    using Broker broker = Broker.Find();

    #region listen
    string[] libraries = ["Wire.RabbitMQ", "Wire.RabbitMQ.Streams", "Wire.Amqp.Client"];
    using MeterProvider numbers = Sdk.CreateMeterProviderBuilder()
        .AddMeter(libraries)
        .AddPrometheusHttpListener() // http://localhost:9464/metrics
        .Build();
    using TracerProvider spans = Sdk.CreateTracerProviderBuilder()
        .AddSource(libraries) // and an exporter
        .Build();
    #endregion

    Console.WriteLine("http://localhost:9464/metrics has the numbers. Ctrl+C ends it.");
    await new Traffic(broker.Uri.ToString(), broker.StreamUri, stop.Token).RunAsync();
    return 0;
}
catch (InvalidOperationException wrong)
{
    Console.Error.WriteLine(wrong.Message);
    return 1;
}
