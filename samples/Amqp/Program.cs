using Amqp;

Version091.Run();
Version10.Run();
