using Amqp;

Version091.Run();
